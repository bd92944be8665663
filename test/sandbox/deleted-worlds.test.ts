import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { SqliteStore } from '../../src/sandbox/store/sqlite-store.ts';
import { deal, send } from './raw.ts';
import { hour } from './support.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-deleted-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = await SqliteStore.open(folder);
  const sandbox = createSandbox({ worlds: 'credential', control: true, store, ...options });
  return sandbox;
}

const ann = { token: 'ann' };

/** Name of the only world beside the default one. */
function nameOf(sandbox: Sandbox): string {
  const [, name = '', ...more] = sandbox.worldNames();
  expect(more).toEqual([]);
  return name;
}

const change = (sandbox: Sandbox, token = 'ann') => send(sandbox, 'DELETE /crm/v1/deals/501', { token });
const remove = (sandbox: Sandbox) => send(sandbox, `DELETE /__sandbox/worlds/${nameOf(sandbox)}`, ann);

/** Starts a request, and resolves once the sandbox waits because of a fault. */
async function startWaiting(
  sandbox: Sandbox,
  request: string,
  body: unknown,
): Promise<{ response: Promise<Response> }> {
  const added = { delay: 300, delayAt: 'before' };
  expect((await send(sandbox, 'POST /__sandbox/faults', { ...ann, body: added })).status).toBe(200);
  const waiting = send(sandbox, request, { ...ann, body });
  const list = async () => (await send(sandbox, 'GET /__sandbox/faults', ann)).json();
  await expect.poll(list).toEqual([]);
  return { response: waiting };
}

test.each([
  ['a change', 'POST /crm/v1/deals', deal],
  ['a read', 'GET /crm/v1/users', undefined],
])(
  '%s that waits while its world is deleted gets status 409, and the world does not come back',
  async (_, request, body) => {
    const first = await open();
    await change(first);
    const waiting = await startWaiting(first, request, body);
    expect((await remove(first)).status).toBe(204);
    const response = await waiting.response;
    expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([409, 'world-deleted']);
    expect(first.worldNames()).toEqual(['']);
    await first.close();
    const second = await open();
    expect(second.worldNames()).toEqual(['']);
    await second.close();
  },
);

test('a deleted world with faults does not come back after a restart', async () => {
  const first = await open();
  await change(first);
  await send(first, 'POST /__sandbox/faults', { ...ann, body: { status: 503, operation: 'listTags' } });
  expect((await remove(first)).status).toBe(204);
  await first.close();
  const second = await open();
  expect(second.worldNames()).toEqual(['']);
  await second.close();
});

test('the next request with its key makes a new, whole world', async () => {
  const first = await open();
  await change(first);
  const waiting = await startWaiting(first, 'POST /crm/v1/deals', deal);
  await remove(first);
  expect((await send(first, 'POST /crm/v1/deals', { ...ann, body: deal })).status).toBe(200);
  expect((await waiting.response).status).toBe(409);
  const content = (sandbox: Sandbox) => JSON.parse(JSON.stringify(sandbox.world(nameOf(sandbox)).snapshot().state));
  const before = content(first);
  expect([before.crm.deals.length, before.crm.users.length]).toEqual([2, createSandbox().state.crm.users.size]);
  await first.close();
  const second = await open();
  expect(content(second)).toEqual(before);
  await second.close();
});

test('a view of a deleted world does not change the new one', async () => {
  const sandbox = createSandbox({ control: true });
  const view = sandbox.world('ann');
  view.state.crm.tags.put({ id: 90, name: 'Before' });
  expect((await send(sandbox, 'DELETE /__sandbox/worlds/ann')).status).toBe(204);
  view.state.crm.tags.put({ id: 91, name: 'After' });
  expect(sandbox.worldNames()).toEqual(['']);
  const { tags } = sandbox.world('ann').state.crm;
  expect([tags.has(90), tags.has(91)]).toEqual([false, false]);
});

test('a reader that waits for a change stops waiting when the world is deleted', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: true });
  await change(sandbox);
  const { count } = await (await send(sandbox, 'GET /__sandbox/changes', ann)).json();
  const waiting = send(sandbox, `GET /__sandbox/changes?after=${count}&wait=60000`, ann);
  await remove(sandbox);
  expect((await waiting).status).toBe(200);
});

test('a world that expires is also removed from the store', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const later = (hours: number) => vi.setSystemTime(Date.now() + hours * hour);
  const first = await open({ worldsExpireAfter: 2 * hour });
  for (const token of ['ann', 'ben']) await change(first, token);
  later(1);
  await send(first, 'GET /crm/v1/users', ann);
  later(1.5);
  await send(first, 'GET /crm/v1/users', ann);
  expect(first.worldNames()).toHaveLength(2);
  await first.close();
  const second = await open();
  expect([second.worldNames().length, (await send(second, 'GET /crm/v1/deals/501', ann)).status]).toEqual([2, 404]);
  await second.close();
});

test('a world that cannot be deleted from a full disk continues, and rejects no request of another', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);
  const sandbox = await open({ worldsExpireAfter: hour });
  await change(sandbox);
  const name = nameOf(sandbox);
  later(50);
  await change(sandbox, 'ben');
  const write = vi.spyOn(SqliteStore.prototype, 'write').mockImplementation(() => {
    throw new Error('The disk is full.');
  });
  onTestFinished(() => write.mockRestore());
  expect((await send(sandbox, `DELETE /__sandbox/worlds/${name}`, ann)).status).toBe(507);
  later(20);
  expect((await send(sandbox, 'GET /crm/v1/users', { token: 'ben' })).status).toBe(200);
  expect(sandbox.worldNames()).toHaveLength(3);
  write.mockRestore();
  expect((await send(sandbox, 'GET /crm/v1/deals/501', ann)).status).toBe(404);
  await sandbox.close();
});
