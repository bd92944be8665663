/** Lets a test file of the site start when it is built. */
import { inject } from 'vitest';
import { whenReady } from './prepare.ts';

await whenReady(inject('site'));
