/**
 * Runs a program in one process whenever the parent asks, so that linters and generators are loaded once. The argument is
 * the program. Each message has the arguments of a run, and the message back its output.
 */
import { pathToFileURL } from 'node:url';

/** The result of a run. */
export interface Result {
  code: number;
  output: string;
  errors: string;
}

const [, , program = ''] = process.argv;
const printed = { output: '', errors: '' };
let runs = 0;

process.stdout.write = (text) => {
  printed.output += String(text);
  return true;
};
process.stderr.write = (text) => {
  printed.errors += String(text);
  return true;
};

process.on('message', async (args: string[]) => {
  Object.assign(printed, { output: '', errors: '' });
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  runs += 1;
  // A new URL each time, so that the program runs again. Its imports are cached.
  await import(`${pathToFileURL(program)}?run=${runs}`);
  const result: Result = { code: Number(process.exitCode ?? 0), ...printed };
  process.exitCode = undefined;
  process.send?.(result);
});
