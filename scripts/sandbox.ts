/** `npm run sandbox`: what the package ships as `carillon-sandbox`. */
import { runSandbox } from '../src/bin/sandbox-command.ts';

process.exitCode = await runSandbox('npm run sandbox --', process.argv.slice(2));
