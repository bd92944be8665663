import { expect, test } from 'vitest';
import { choices, createSandbox, rules } from '../../src/sandbox/index.ts';
import { deal, origin, send } from './raw.ts';
import { start } from './support.ts';

const control = (options = {}) => start({ control: true, ...options });

async function read(sandbox: Parameters<typeof send>[0], path: string) {
  const response = await send(sandbox, `GET /__sandbox/${path}`);
  return { status: response.status, body: await response.json() };
}

test('lists each table with its size', async () => {
  const { sandbox, api } = control();
  await api.crm.deals.create(deal);
  const { body } = await read(sandbox, 'tables');
  expect(body).toMatchObject({ 'crm.deals': 2, 'crm.pipelines': 2, 'email.messages': 2, 'messaging.websites': 2 });
  expect((await read(sandbox, 'tables/tokens')).status).toBe(400);
});

test('lists the newest records of a table first, in pages', async () => {
  const { sandbox } = control({ seed: 250 });
  const keys = async (query: string) =>
    (await read(sandbox, `tables/crm.contacts${query}`)).body.map(({ key }: { key: number }) => key);
  const all = [...sandbox.state.crm.contacts.keys()].reverse();
  expect(await keys('')).toEqual(all.slice(0, 100));
  expect(await keys('?limit=2')).toEqual(all.slice(0, 2));
  expect(await keys('?limit=3&offset=2')).toEqual(all.slice(2, 5));
  expect(await keys(`?limit=5&offset=${all.length - 2}`)).toEqual(all.slice(-2));
  expect(await keys(`?offset=${all.length + 5}`)).toEqual([]);
  expect((await read(sandbox, 'tables/crm.contacts?limit=-1')).status).toBe(400);
});

test('rejects an unknown table', async () => {
  const { sandbox } = control();
  expect((await read(sandbox, 'tables/crm.nothing')).body.message).toContain("'crm.nothing'");
});

test("a record's title comes from the field in its schema, and is empty without one", async () => {
  const { sandbox } = control();
  const titles = async (table: string) =>
    (await read(sandbox, `tables/${table}`)).body.map(({ title }: { title: string }) => title);
  expect(await titles('crm.contacts')).toEqual(['Ben Ito', 'Ann Kowal']);
  expect(await titles('email.messages')).not.toContain('');
  expect(await titles('crm.users')).toEqual(['', '', '', '']);
});

test('lists the log without bodies on request, and times each response', async () => {
  const { sandbox, api } = control();
  await api.crm.deals.create(deal);
  const [entry] = (await read(sandbox, 'requests?bodies=false')).body;
  expect(entry).toMatchObject({ operation: 'createDeal', bodyLength: JSON.stringify(deal).length });
  expect(entry).not.toHaveProperty('body');
  expect(entry.milliseconds).toBeGreaterThanOrEqual(0);
  expect((await read(sandbox, 'requests')).body[0].body).toEqual(deal);
});

test('a delayed request has no time, and a dropped one has', async () => {
  const { sandbox } = control();
  sandbox.faults.add({ delay: 3_600_000 });
  const gone = new AbortController();
  const call = sandbox.fetch(`${origin}/crm/v1/users`, {
    headers: { authorization: 'Bearer any' },
    signal: gone.signal,
  });
  await expect.poll(() => sandbox.requests.length).toBe(1);
  expect(sandbox.requests[0]?.milliseconds).toBeUndefined();
  gone.abort();
  await expect(call).rejects.toThrow();
  sandbox.faults.add({ drop: 'before' });
  sandbox.faults.add({ drop: 'after' });
  for (let index = 0; index < 2; index += 1) await send(sandbox, 'GET /crm/v1/users').catch(() => undefined);
  expect(sandbox.requests.map(({ milliseconds }) => typeof milliseconds)).toEqual(['number', 'number', 'number']);
});

test('a control request reaches only the existing world that it names, and creates none', async () => {
  const sandbox = createSandbox({ worlds: { header: 'x-world' }, control: true });
  const call = (method: string, path: string, headers: Record<string, string>) =>
    sandbox.fetch(origin + path, { method, headers: { authorization: 'Bearer any', ...headers } });
  await call('DELETE', '/crm/v1/deals/501', { 'x-world': 'né' });
  const names: string[] = await (await call('GET', '/__sandbox/worlds', {})).json();
  expect(names).toEqual(['', 'né']);
  const deals = async (world: string) => {
    const response = await call('GET', '/__sandbox/tables', { 'x-sandbox-world': encodeURIComponent(world) });
    return response.ok ? (await response.json())['crm.deals'] : response.status;
  };
  expect([await deals(''), await deals('né'), await deals('other')]).toEqual([1, 0, 404]);
  expect(sandbox.worldNames()).toEqual(['', 'né']);
});

test('finds the newest records whose key, title or fields contain the text, ignoring case', async () => {
  const { sandbox } = control({ seed: 250 });
  const keys = async (query: string) =>
    (await read(sandbox, `tables/crm.contacts?${query}`)).body.map(({ key }: { key: number }) => key);
  expect(await keys('text=kowal')).toEqual([3001]);
  expect(await keys('text=3001')).toContain(3001);
  expect(await keys('text=nobody-has-this')).toEqual([]);
  const all = await keys('text=@');
  expect(all).toHaveLength(100);
  expect(await keys('text=@&limit=3&offset=2')).toEqual(all.slice(2, 5));
});

test('`about` describes rules, choices, operations and fault properties', async () => {
  const { body } = await read(control().sandbox, 'about');
  expect(body.operations).toContain('getDeal');
  expect(body.faultFields.slowBody).toContain('milliseconds');
  expect(body.choices).toEqual(choices);
  expect(Object.keys(body.rules).sort()).toEqual(Object.keys(rules).sort());
  expect(body.rules['fail-reason-unknown']).toMatch(/CRM document, section/);
});

test('a reader waits for the next change of its world by a request or a control command', async () => {
  const { sandbox } = control();
  const changes = async (query = '') => (await read(sandbox, `changes?${query}`)).body.count;
  const before = await changes();
  expect(await changes(`after=${before}&wait=1`)).toBe(before);
  const waiting = changes(`after=${before}&wait=60000`);
  await send(sandbox, 'GET /crm/v1/users');
  const after = await waiting;
  expect(after).toBeGreaterThan(before);
  const next = changes(`after=${after}&wait=60000`);
  await send(sandbox, 'POST /__sandbox/clock/advance', { body: { milliseconds: 1 } });
  expect(await next).toBeGreaterThan(after);
  // A larger count comes from before a restart, so the response is immediate.
  expect(await changes('after=1000&wait=60000')).toBeGreaterThan(0);
  expect((await read(sandbox, 'changes?after=1&wait=60001')).status).toBe(400);
});

test('counts requests that a fault drops and requests that their caller leaves', async () => {
  const { sandbox } = control();
  const changes = async () => (await read(sandbox, 'changes')).body.count;
  const headers = { authorization: 'Bearer any' };
  for (const drop of ['before', 'after'] as const) {
    const before = await changes();
    sandbox.faults.add({ drop });
    await expect(sandbox.fetch(`${origin}/crm/v1/users`, { headers })).rejects.toThrow('dropped');
    expect(await changes()).toBeGreaterThan(before);
  }
  sandbox.faults.add({ delay: 3_600_000 });
  const gone = new AbortController();
  const call = sandbox.fetch(`${origin}/crm/v1/users`, { headers, signal: gone.signal });
  await expect.poll(() => sandbox.requests.length).toBe(3);
  const waiting = await changes();
  gone.abort();
  await expect(call).rejects.toThrow();
  // The entry in the log now has its time.
  expect(await changes()).toBeGreaterThan(waiting);
});
