import { runCommand } from '../../src/shared/command-line.ts';
import { type BenchFlags, benchCommand, readOptions } from './bench-options.ts';
import { measure } from './measure.ts';
import { parts } from './parts/index.ts';

const names = Object.keys(parts);

/** `npm run bench`. Resolves to the exit code. */
export function runBench(args: string[]): Promise<number> {
  return runCommand<BenchFlags>(benchCommand(names), args, async (flags) =>
    (await measure(readOptions(flags, names), parts)) ? 0 : 1,
  );
}
