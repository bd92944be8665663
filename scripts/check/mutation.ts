/**
 * `npm run test:mutation [-- <file> …]`: changes `src/core/` in thousands of small ways with Stryker, and lists those that
 * no fast test notices. It takes long, so it is not part of CI. Stryker is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type CommandLine, withArguments } from '../command-line/command-line.ts';
import { reportFailure } from '../command-line/run-command.ts';
import { repositoryRoot } from '../spec/files.ts';
import { provideStryker } from './mutation/provide-stryker.ts';

const command: CommandLine = {
  line: 'npm run test:mutation --',
  about: 'Changes the code of src/core/, or of the given files, in small ways, and lists changes that no test notices.',
  rest: '[<file> …]',
};

export function runMutation(args: string[]): Promise<number> {
  return withArguments(command, args, ({ rest }) => reportFailure('Nothing was mutated', () => mutate(rest)));
}

async function mutate(positionals: string[]): Promise<number> {
  const { program, configuration } = await provideStryker();
  const files = positionals.length > 0 ? ['--mutate', positionals.join(',')] : [];
  const child = spawn(process.execPath, [program, 'run', configuration, ...files], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  return typeof code === 'number' ? code : 1;
}
