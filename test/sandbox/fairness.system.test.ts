import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** Times need a quiet machine, so only `npm run test:nightly` measures them. */
const seconds = Number(process.env.FAIRNESS_SECONDS ?? 0);

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

const call = (url: string, key: string, method: string, path: string, body?: string | object): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** Requests with which one user can keep a sandbox busy. */
async function attack(url: string, until: number): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const condition = (value: string) => ({ field: 'phones', expression: 'gt', value });
  const attacks: [string, string, (string | object)?][] = [
    ['POST', '/__sandbox/reset', { seed: 12_500 }],
    [
      'POST',
      '/crm/v1/contacts/get-list',
      { fieldValueConditions: Array.from({ length: 10 }, (_, n) => condition(`${n}`)) },
    ],
    [
      'POST',
      '/crm/v1/contacts/get-list',
      { fieldValueConditions: Array.from({ length: 1_000 }, (_, n) => condition(`${n}`)) },
    ],
    ['POST', '/crm/v1/contacts/get-list', { email: 'e', phone: '5' }],
    ['GET', `/x?${'?'.repeat(15_000)}`],
    ['GET', '/__sandbox/state'],
    ['PUT', '/__sandbox/snapshots/mine'],
    ['POST', '/__sandbox/snapshots/mine/restore'],
    ['POST', '/crm/v1/deals', `{${Array.from({ length: 500_000 }, (_, n) => `"field${n}":1`).join(',')}}`],
    ['PUT', '/__sandbox/state', `{"state":{"crm":{"deals":[${'1,'.repeat(3_000_000)}1]}}}`],
  ];
  for (let turn = 0; Date.now() < until; turn += 1) {
    const [method, path, body] = attacks[turn % attacks.length] ?? ['GET', '/'];
    const reply = await call(url, 'attacker', method, path, body);
    await reply.arrayBuffer();
    const name = `${method} ${path.slice(0, 40)} ${reply.status}`;
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
  }
  return statuses;
}

test.runIf(seconds > 0)(
  'answers 99 of 100 reads of one user in less than 250 ms while another causes the worst load',
  async () => {
    const url = await start('--worlds', 'credential');
    const until = Date.now() + seconds * 1_000;
    const attacking = attack(url, until);
    const times: number[] = [];
    while (Date.now() < until) {
      const begun = performance.now();
      expect((await call(url, 'victim', 'GET', '/crm/v1/deals/501')).status).toBe(200);
      times.push(performance.now() - begun);
    }
    const statuses = await attacking;
    times.sort((one, other) => one - other);
    const at = (part: number): number => Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10;
    console.log({
      reads: times.length,
      p50: at(0.5),
      p99: at(0.99),
      worst: at(0.9999),
      statuses: Object.fromEntries(statuses),
    });
    expect(statuses.size).toBeGreaterThan(5);
    expect(at(0.99)).toBeLessThan(250);
  },
  600_000,
);
