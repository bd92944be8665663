import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { userEnvironment } from '../../../scripts/check/runtimes/package.ts';
import { createClient } from '../../../src/client/index.ts';
import { useFolder, usePacked } from './installed.ts';

const folder = useFolder();
const packed = usePacked();
const separator = '-- the next command --';

/**
 * Runs the packages' commands as users do: `npx -p <tarball> <command>`, in an empty folder. Starting npx takes a second
 * of CPU time, so it starts once, and its shell runs `commands` before the last one.
 */
function startNpx(commands: readonly string[], last: string): ChildProcess {
  const args = ['--yes', '--prefer-offline', ...packed().flatMap(({ tarball }) => ['-p', tarball])];
  const script = [...commands.map((command) => `${command} && echo ${separator}`), `exec ${last}`].join(' && ');
  const child = spawn('npx', [...args, '-c', script], {
    cwd: folder(),
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  return child;
}

test('npx runs the commands from the tarballs in an empty folder', async () => {
  expect(readdirSync(folder())).toEqual([]);
  const commands = ['carillon-sandbox --help', 'carillon --sandbox crm deals get 501'];
  const child = startNpx(commands, 'carillon-sandbox --port 0');
  const { url, printed } = await readAddress(child);
  const [help, deal = ''] = printed.split(`${separator}\n`);
  expect(help).toContain('Usage: carillon-sandbox [options]');
  expect(JSON.parse(deal)).toMatchObject({ id: 501, name: 'Annual plan renewal' });
  const api = createClient({ baseUrl: url, auth: { apiKey: 'any' } });
  expect((await api.crm.deals.get({ dealId: 501 })).id).toBe(501);
  expect(readdirSync(folder())).toEqual([]);
});

/** The address that the command prints, and its earlier output. */
async function readAddress({ stdout }: ChildProcess): Promise<{ url: string; printed: string }> {
  if (!stdout) throw new Error('Its output is not read');
  let printed = '';
  for await (const line of createInterface(stdout)) {
    const url = /listens at (\S+)$/.exec(line)?.[1];
    if (url) return { url, printed };
    printed += `${line}\n`;
  }
  throw new Error(`It ended without an address: ${printed}`);
}

/** npx does not forward signals to the command, so signal the whole process group. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
