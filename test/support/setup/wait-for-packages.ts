/** Lets a test file of the packages start when they are built, packed and installed. */
import { inject } from 'vitest';
import { whenReady } from './prepare.ts';

await whenReady(inject('packages'));
