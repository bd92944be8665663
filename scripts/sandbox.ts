/** `npm run sandbox`: what the package ships as `carillon-sandbox`. */
import { run } from '../src/bin/run.ts';

process.exitCode = await run('npm run sandbox --', process.argv.slice(2));
