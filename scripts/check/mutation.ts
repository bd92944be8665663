/**
 * `npm run test:mutation [-- <file> …]`: changes `src/client/core/` in thousands of small ways with Stryker, and lists those that
 * no fast test notices. It takes long, so it is not part of CI, and `--lines 300` takes a random part of the code only.
 * Stryker is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../src/shared/server/options.ts';
import { type CommandLine, withArguments } from '../command-line/command-line.ts';
import { reportFailure } from '../command-line/run-command.ts';
import { repositoryRoot } from '../spec/files.ts';
import { provideStryker } from './mutation/provide-stryker.ts';
import { sampleLines } from './mutation/sample.ts';

const command: CommandLine<'lines' | 'seed'> = {
  line: 'npm run test:mutation --',
  about:
    'Changes the code of src/client/core/, or of the given files, in small ways, and lists changes that no test notices.',
  values: {
    lines: '<count> changes about so many lines only, picked at random from the files',
    seed: '<text> picks other lines for another text (default: 1)',
  },
  rest: '[<file> …]',
};

export function runMutation(args: string[]): Promise<number> {
  return withArguments(command, args, ({ values, rest }) => {
    const ranges = values.lines === undefined ? rest : sample(rest, values.lines, values.seed ?? '1');
    return reportFailure('Nothing was mutated', () => mutate(ranges));
  });
}

/** Random lines of the files, or of all files. */
function sample(files: readonly string[], lines: string, seed: string): string[] {
  if (!/^[1-9]\d*$/.test(lines)) throw new UsageError(`--lines takes a positive whole number, not ${lines}.`);
  const all = files.length > 0 ? files : globSync('src/client/core/**/*.ts', { cwd: repositoryRoot });
  const counted = all.map((file) => ({
    file,
    lines: readFileSync(join(repositoryRoot, file), 'utf8').split('\n').length,
  }));
  return sampleLines(counted, Number(lines), seed);
}

async function mutate(parts: readonly string[]): Promise<number> {
  const { program, configuration } = await provideStryker();
  const files = parts.length > 0 ? ['--mutate', parts.join(',')] : [];
  const child = spawn(process.execPath, [program, 'run', configuration, ...files], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}
