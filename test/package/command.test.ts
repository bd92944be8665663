import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { useFolder, usePacked } from './installed.ts';

const folder = useFolder();
const cache = useFolder();
const packed = usePacked();

/** `npx -p <tarball>`; nothing comes over the network. */
function npx(...args: string[]): string[] {
  return ['--yes', '--offline', '--cache', cache(), '-p', packed().tarball, ...args];
}

test('npx runs the command from the tarball in an empty folder, without hono or zod', async () => {
  expect(readdirSync(folder())).toEqual([]);
  const args = npx('carillon-sandbox', '--help');
  const { stdout } = await promisify(execFile)('npx', args, { cwd: folder(), timeout: 50_000 });
  expect(stdout).toContain('Usage: carillon-sandbox [options]');
  expect(readdirSync(folder())).toEqual([]);
});

test('npx carillon calls the embedded sandbox there, without hono or zod', async () => {
  const args = npx('carillon', '--sandbox', 'crm', 'deals', 'get', '501');
  const { stdout } = await promisify(execFile)('npx', args, { cwd: folder(), timeout: 50_000 });
  expect(JSON.parse(stdout)).toMatchObject({ id: 501, name: 'Annual plan renewal' });
});

test('it serves a request there', async () => {
  const child = spawn('npx', npx('carillon-sandbox', '--port', '0'), {
    cwd: folder(),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const api = createClient({ baseUrl: await address(child), auth: { apiKey: 'any' } });
  expect((await api.crm.deals.get({ dealId: 501 })).id).toBe(501);
});

/** Where the command says that it answers. */
async function address({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('Its output is not read');
  for await (const line of createInterface(stdout)) {
    const url = /answers at (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('It ended without an address');
}

/** npx passes no signal on to the command, so the whole group gets it. */
async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
