/**
 * Runs a program in one process as often as the parent asks: it loads the linters and the generators once. The argument
 * is the program, a message has the arguments of a run, and the answer says what it printed.
 */
import { pathToFileURL } from 'node:url';

/** What a run of the command gave. */
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
  // Another address each time, so that the program runs again; what it imports is there already.
  await import(`${pathToFileURL(program)}?run=${runs}`);
  const result: Result = { code: Number(process.exitCode ?? 0), ...printed };
  process.exitCode = undefined;
  process.send?.(result);
});
