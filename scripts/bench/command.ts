import { withArguments } from '../command-line/command-line.ts';
import { benchCommand, readOptions } from './bench-options.ts';
import { measure } from './measure.ts';
import { parts } from './parts/index.ts';

const names = Object.keys(parts);

/** `npm run bench`. Resolves to the exit code. */
export function runBench(args: string[]): Promise<number> {
  return withArguments(benchCommand(names), args, async (given) => {
    return (await measure(readOptions(given, names), parts)) ? 0 : 1;
  });
}
