/**
 * `npm run test:mutation [-- <file> …]`: Stryker makes thousands of small changes to `src/client/core/`, and lists those
 * that no fast test detects. `mutation/stryker.config.json` configures it. It is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { provideTools } from '../command-line/provide-tools.ts';
import { repositoryRoot } from '../spec/files.ts';

const folder = join(import.meta.dirname, 'mutation');
const program = join(folder, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

const about =
  'Changes the code of src/client/core/, or of the given files, in small ways, and lists changes that no test notices.';

export function runMutation(args: string[]): Promise<number> {
  const command = createCommand('npm run test:mutation --', about).argument('[file...]');
  return runCommand(command, args, (_, files) => reportFailure('Nothing was mutated', () => mutate(files)));
}

async function mutate(files: readonly string[]): Promise<number> {
  await provideTools(folder, 'Stryker', console.log);
  const chosen = files.length > 0 ? ['--mutate', files.join(',')] : [];
  const child = spawn(process.execPath, [program, 'run', join(folder, 'stryker.config.json'), ...chosen], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}
