import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { amounts } from '../../support/amounts.ts';
import { attacks } from './attacks.ts';

/** Seconds of all attacks together. Times need a quiet machine. */
const seconds = amounts.fairnessSeconds;
/** Contacts of each world. */
const contacts = 100_000;
/** Requests that the attacker sends at the same time. */
const concurrency = 8;
/** Milliseconds that 99 of 100 reads of another key may wait beyond those of the same run without an attack. */
const maxWait = 150;

/** Starts the command in a process, because this one attacks it. */
async function start(...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-fair-'));
  const command = join(repositoryRoot, 'src', 'sandbox', 'dist', 'bin', 'carillon-sandbox.js');
  const child = spawn(process.execPath, [command, '--port', '0', '--quiet', '--data', folder, ...args]);
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/\S+:\d+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The sandbox did not start');
}

function startPoller(url: string): ChildProcess {
  const poller = fork(join(import.meta.dirname, 'poller.ts'), [url]);
  onTestFinished(() => void poller.kill('SIGKILL'));
  return poller;
}

/** The reads of the poller since the last call, in milliseconds. */
async function readTimes(poller: ChildProcess): Promise<{ reads: number; p99: number; longest: number }> {
  const answered = once(poller, 'message');
  poller.send('times');
  const [times]: number[][] = await answered;
  const sorted = (times ?? []).toSorted((one, other) => one - other);
  const at = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return { reads: sorted.length, p99: at(0.99), longest: at(1) };
}

/** Sends the same request again and again for some time. Returns the statuses of the replies. */
async function attack(
  url: string,
  [request, body, ofNewKeys]: (typeof attacks)[string],
  until: number,
): Promise<Set<number>> {
  const [method = '', path = ''] = request.split(' ');
  const headers = () => ({
    authorization: `Bearer ${ofNewKeys ? randomUUID() : 'attacker'}`,
    'content-type': 'application/json',
  });
  const statuses = new Set<number>();
  const text = body?.();
  const one = async (): Promise<void> => {
    do {
      const sent = fetch(url + path, { method, headers: headers(), ...(text !== undefined && { body: text }) });
      // The server closes the connection of a body that is too large.
      const reply = await sent.catch(() => undefined);
      await reply?.body?.pipeTo(new WritableStream());
      statuses.add(reply?.status ?? 0);
    } while (Date.now() < until);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return statuses;
}

test.runIf(seconds > 0)(
  `no request of one key makes another wait more than ${maxWait} ms, 99 times of 100`,
  async () => {
    const url = await start('--worlds', 'credential', '--seed', String(contacts));
    const poller = startPoller(url);
    const own = { authorization: 'Bearer attacker' };
    await fetch(`${url}/crm/v1/deals/501`, { method: 'DELETE', headers: own });
    await fetch(`${url}/__sandbox/snapshots/mine`, { method: 'PUT', headers: own });
    await readTimes(poller);
    const each = (seconds * 1_000) / Object.keys(attacks).length;
    await delay(each);
    const baseline = await readTimes(poller);
    const rows: Record<string, object> = { 'no attack': baseline };
    for (const [name, one] of Object.entries(attacks)) {
      const statuses = await attack(url, one, Date.now() + each);
      const times = await readTimes(poller);
      rows[name] = { ...times, statuses: [...statuses].join(' ') };
    }
    console.table(rows);
    for (const [name, row] of Object.entries(rows))
      expect.soft((row as typeof baseline).p99, name).toBeLessThan(baseline.p99 + maxWait);
  },
  3_600_000,
);
