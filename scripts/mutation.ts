/**
 * `npm run test:mutation [-- <file> …]`: changes `src/core/` in thousands of small ways with Stryker, and lists those that
 * no fast test notices. It takes long, so it is not part of CI. Stryker is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { provideStryker } from './mutation/provide-stryker.ts';
import { repositoryRoot } from './spec/files.ts';

try {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const { program, configuration } = await provideStryker();
  const files = positionals.length > 0 ? ['--mutate', positionals.join(',')] : [];
  const child = spawn(process.execPath, [program, 'run', configuration, ...files], {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'close');
  process.exitCode = typeof code === 'number' ? code : 1;
} catch (error) {
  console.error(`Nothing was mutated: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
