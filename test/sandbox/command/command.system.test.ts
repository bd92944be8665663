import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** Runs the package's command from source. Only a process has a standard output, receives signals and exits with a code. */
function run(...args: string[]) {
  const command = join(repositoryRoot, 'src', 'sandbox', 'bin', 'carillon-sandbox.ts');
  const child = spawn(process.execPath, ['--conditions=carillon-source', command, ...args], { timeout: 30_000 });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text, ended: once(child, 'close') };
}

test('prints a line per request, and exits with 0 after SIGTERM', async () => {
  const { child, output, ended } = run('--port', '0');
  await expect.poll(output, { timeout: 20_000 }).toContain('Press Ctrl+C to stop.');
  const [url] = /http:\/\/\S+?:\d+/.exec(output()) ?? [];
  await fetch(`${url}/crm/v1/users`);
  await expect.poll(output).toMatch(/^GET \/crm\/v1\/users 401 .*ms$/m);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('exits with 2 and one plain sentence after a mistyped option', async () => {
  const { output, ended } = run('--prot', '1');
  expect(await ended).toEqual([2, null]);
  expect(output()).toMatch(/^carillon-sandbox: Unknown option '--prot'\. \S.* --help shows the usage\.\n$/);
});
