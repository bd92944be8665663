/** Node, Bun and Deno: `main.js <address of the mock>`. */
import process from 'node:process';
import * as carillon from 'carillon';
import { run } from './program.js';

console.log((await run(carillon, process.argv[2] ?? '')).join(' '));
