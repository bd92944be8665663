/** A page: `run(<address of the mock>)`, once its bundle is loaded. */
import * as carillon from 'carillon';
import { run } from './program.js';

Object.assign(globalThis, { run: (baseUrl: string) => run(carillon, baseUrl) });
