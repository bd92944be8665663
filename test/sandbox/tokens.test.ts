import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { SqliteStore } from '../../src/sandbox/store/sqlite-store.ts';
import { send } from './raw.ts';
import { hour, minute, startAt } from './support.ts';

describe('a client with credentials, as in a test file', () => {
  const sandbox = createSandbox();
  const api = createClient({
    baseUrl: 'https://sandbox.example.com',
    auth: { clientId: 'shop', clientSecret: 'hush' },
    fetch: sandbox.fetch,
    maxRetries: 0,
  });

  beforeEach(() => sandbox.reset());

  test.each(['first', 'second', 'third'])('keeps its token over a reset before each test: %s', async (name) => {
    const deal = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name });
    expect(await api.crm.deals.get({ dealId: deal.id })).toMatchObject({ name });
    expect(sandbox.state.crm.deals.size).toBe(2);
  });

  test('requests another one after the clock has passed its end', async () => {
    await api.crm.users.list();
    sandbox.clock.advance(2 * hour);
    await api.crm.users.list();
    expect(sandbox.log.list({ operation: 'listUsers' }).map(({ status }) => status)).toEqual([200, 401, 200]);
    expect(sandbox.log.list({ operation: 'createToken' }).length).toBe(1);
  });
});

async function issue(sandbox: Sandbox): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'hush' };
  return (await (await send(sandbox, 'POST /oauth/access_token', { body, token: null })).json()).access_token;
}

const status = async (sandbox: Sandbox, token: string) => (await send(sandbox, 'GET /crm/v1/users', { token })).status;

test.each<[string, (sandbox: Sandbox) => unknown]>([
  ['a reset', (sandbox) => sandbox.reset()],
  ['a restore', (sandbox) => sandbox.restore(createSandbox({ startAt: startAt - 5 * hour }).snapshot())],
  [
    'a restore of a later time',
    (sandbox) => sandbox.restore(createSandbox({ startAt: startAt + 5 * hour }).snapshot()),
  ],
  [
    'a scenario',
    (sandbox) => sandbox.startScenario({ name: 'early', clock: { startAt: '2026-01-01', isFrozen: true } }),
  ],
  ['other data', (sandbox) => send(sandbox, 'PUT /__sandbox/state', { body: { state: { crm: { deals: [] } } } })],
])('a token keeps the rest of its life over %s', async (_, replace) => {
  const sandbox = createSandbox({ startAt, control: true });
  sandbox.clock.freeze();
  const token = await issue(sandbox);
  sandbox.clock.advance(50 * minute);
  await replace(sandbox);
  sandbox.clock.freeze();
  sandbox.clock.advance(9 * minute);
  expect(await status(sandbox, token)).toBe(200);
  sandbox.clock.advance(minute);
  expect(await status(sandbox, token)).toBe(401);
});

test('tokens are in no snapshot and no table, and belong to their world', async () => {
  const sandbox = createSandbox({ control: true });
  const token = await issue(sandbox);
  const other = sandbox.world('other');
  expect([await status(sandbox, token), await status(other, token)]).toEqual([200, 401]);
  for (const path of ['state', 'tables'])
    expect(await (await send(sandbox, `GET /__sandbox/${path}`)).text()).not.toMatch(/token/i);
  other.restore(sandbox.snapshot());
  expect(await status(other, token)).toBe(401);
});

test('a token survives a reset and a restart with a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-tokens-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = createSandbox({ store: await SqliteStore.open(folder) });
  const token = await issue(first);
  first.reset();
  await first.close();
  const second = createSandbox({ store: await SqliteStore.open(folder) });
  expect(await status(second, token)).toBe(200);
  await second.close();
});

test('a token whose request could not be stored is not valid', async () => {
  const sandbox = createSandbox({
    store: {
      read: () => [],
      write(changes) {
        if (changes.length === 1) throw new Error('The disk is full.');
      },
      close() {},
    },
  });
  expect(await issue(sandbox)).toBeUndefined();
  expect(sandbox.log.list().map((entry) => entry.status)).toEqual([507]);
});
