import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { once as startOnce } from '../../support/once/once.ts';

/** How many times the server is killed. `npm run test:nightly` kills it 1,000 times. */
const kills = Number(process.env.KILLS ?? 4);
const connections = 8;

// The built command starts several times faster than its source.
beforeAll(() => startOnce('dist'), 120_000);

/** Starts the command with a folder. Rejects if it cannot start, for example because a file is unreadable. */
async function start(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const command = join(repositoryRoot, 'src', 'sandbox', 'dist', 'bin', 'carillon-sandbox.js');
  const child = spawn(process.execPath, [command, '--port', '0', '--data', folder]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`The sandbox did not start: ${errors}`);
}

const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };

/** Creates deals until the server dies. Adds the ID of each answered one. */
async function write(url: string, answered: Set<number>): Promise<void> {
  const body = JSON.stringify({ pipelineId: 1, stepId: 11, name: 'Renewal'.repeat(30) });
  for (;;) {
    const response = await fetch(`${url}/crm/v1/deals`, { method: 'POST', headers, body }).catch(() => undefined);
    const reply = await response?.json().catch(() => undefined);
    if (!reply) return;
    answered.add(reply.data.id);
  }
}

async function storedDeals(url: string): Promise<{ id: number; name: string }[]> {
  const response = await fetch(`${url}/crm/v1/deals/get-list`, { method: 'POST', headers, body: '{}' });
  return (await response.json()).data;
}

test(`after kill -9 at any moment, ${kills} times, no answered write is lost and every file is readable`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const answered = new Set<number>();
  let beforeKill = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { child, url } = await start(folder);
    const writing = Promise.all(Array.from({ length: connections }, () => write(url, answered)));
    await expect.poll(() => answered.size, { timeout: 30_000, interval: 2 }).toBeGreaterThan(beforeKill);
    // The moment is part of the test: somewhere in the writes.
    await delay(Math.random() * 100);
    child.kill('SIGKILL');
    await once(child, 'close');
    await writing;
    beforeKill = answered.size;
  }
  const { url } = await start(folder);
  const stored = await storedDeals(url);
  const ids = new Set(stored.map(({ id }) => id));
  expect([...answered].filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size).toBe(stored.length);
  for (const { id, name } of stored) if (id !== 501) expect(name).toHaveLength(210);
}, 3_600_000);
