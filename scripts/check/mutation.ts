/**
 * `npm run test:mutation [-- <file> …]`: changes `src/client/core/` in thousands of small ways with Stryker, and lists those that
 * no fast test notices. It takes long, so it is not part of CI, and `--lines 300` takes a random part of the code only.
 * Stryker is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, runCommand, UsageError } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';
import { provideStryker } from './mutation/provide-stryker.ts';
import { sampleLines } from './mutation/sample.ts';

interface Values {
  lines?: string;
  seed?: string;
}

const about =
  'Changes the code of src/client/core/, or of the given files, in small ways, and lists changes that no test notices.';

export function runMutation(args: string[]): Promise<number> {
  const command = createCommand('npm run test:mutation --', about)
    .argument('[file...]')
    .option('--lines <count>', 'changes about so many lines only, picked at random from the files')
    .option('--seed <text>', 'picks other lines for another text (default: 1)');
  return runCommand<Values>(command, args, ({ lines, seed = '1' }, files) => {
    const ranges = lines === undefined ? files : sample(files, lines, seed);
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
