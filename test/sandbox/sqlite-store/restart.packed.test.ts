import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { amounts } from '../../support/amounts.ts';

/** How many contacts, emails and subscribers the folder has. */
const size = amounts.storedRecords;
const command = join(repositoryRoot, 'src', 'sandbox', 'dist', 'bin', 'carillon-sandbox.js');

/** Runs the command until `act` is done, in a process whose memory is its own. */
async function withSandbox<Result>(
  args: string[],
  act: (url: string, pid: number) => Promise<Result>,
): Promise<Result> {
  const child = spawn(process.execPath, [command, '--port', '0', '--quiet', ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? [];
    if (!url) continue;
    const result = await act(url, child.pid ?? 0);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    return result;
  }
  throw new Error(`The sandbox did not start: ${errors}`);
}

async function countContacts(url: string): Promise<number> {
  const response = await fetch(`${url}/crm/v1/contacts/get-list`, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ limit: 1 }),
  });
  const { data }: { data: { total: number } } = await response.json();
  return data.total;
}

test('a sandbox starts again with all its records, in at most 200 MB and 2 kB for each contact', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-restart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const before = await withSandbox(['--data', folder, '--seed', String(size)], countContacts);
  expect(before).toBeGreaterThanOrEqual(size);
  const { after, status } = await withSandbox(['--data', folder], async (url, pid) => ({
    after: await countContacts(url),
    status: await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
  }));
  expect(after).toBe(before);
  // Linux alone reports the most memory that a process has had.
  const kilobytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  expect(kilobytes).toBeLessThan(200_000 + 2 * size);
}, 1_200_000);
