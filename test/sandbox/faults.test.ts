import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { DroppedConnection, type Fault, type Sandbox } from '../../src/sandbox/index.ts';
import { deal, origin, send } from './raw.ts';
import { start } from './support.ts';

const deals = 'POST /crm/v1/deals';

test('a status replaces the reply of the operation, as often as requested', async () => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  sandbox.faults.add({ status: 503, body: { message: 'Later' }, headers: { 'retry-after': '7' }, times: 2 });
  for (const _ of [1, 2]) {
    const response = await send(sandbox, deals, { body: deal });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await response.json()).toEqual({ message: 'Later' });
  }
  expect(sandbox.state.crm.deals.size).toBe(before);
  expect((await send(sandbox, deals, { body: deal })).ok).toBe(true);
  expect(sandbox.faults.list()).toEqual([]);
});

test('a fault of one operation lets the others through', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'createDeal', status: 500 });
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
  expect((await send(sandbox, deals, { body: deal })).status).toBe(500);
});

test.each([
  ['before', 0],
  ['after', 1],
] as const)('a connection that drops %s the request is processed leaves %i deals more', async (drop, more) => {
  const { sandbox } = start();
  const before = sandbox.state.crm.deals.size;
  sandbox.faults.add({ drop });
  await expect(send(sandbox, deals, { body: deal })).rejects.toThrow(DroppedConnection);
  expect(sandbox.state.crm.deals.size).toBe(before + more);
  expect(sandbox.requests.at(-1)).not.toHaveProperty('status');
});

test('a client sees a dropped connection as one, and tries a reading call again', async () => {
  const { sandbox } = start();
  const api = createClient({ baseUrl: origin, auth: { apiKey: 'any' }, fetch: sandbox.fetch });
  sandbox.faults.add({ drop: 'after' });
  expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ id: 501 });
  expect(sandbox.requests.map(({ status }) => status)).toEqual([undefined, 200]);
});

test('a request that would wait is refused if 1,000 requests of all worlds already wait', async () => {
  const { sandbox } = start();
  const leave = new AbortController();
  sandbox.faults.add({ delay: 3_000_000, times: 'always' });
  const other = sandbox.world('other');
  other.faults.add({ delay: 3_000_000 });
  const read = () =>
    sandbox.fetch(`${origin}/crm/v1/deals/501`, { headers: { authorization: 'Bearer any' }, signal: leave.signal });
  const waiting = Array.from({ length: 1_000 }, () =>
    read().then(
      ({ status }) => status,
      () => 'left',
    ),
  );
  // The requests wait once their turn has passed.
  while (sandbox.requests.length < 1_000) await Promise.resolve();
  const refused = await send(other, 'GET /crm/v1/deals/501');
  expect([refused.status, refused.headers.get('x-sandbox-choice')]).toEqual([503, 'too-many-waiting']);
  leave.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['left']));
  sandbox.faults.clear();
  sandbox.faults.add({ delay: 1 });
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
});

test('the faults of all worlds together are limited, and removed ones make room', async () => {
  const { sandbox } = start();
  const fault = { status: 500, body: 'x'.repeat(250_000) };
  const other = sandbox.world('other');
  for (let count = 0; count < 60; count += 1) sandbox.faults.add(fault);
  const add = () => {
    for (let count = 0; count < 20; count += 1) other.faults.add(fault);
  };
  expect(add).toThrow('The faults of all worlds');
  sandbox.faults.clear();
  expect(add).not.toThrow();
});

test('a delay postpones the reply, and ends if the request is aborted', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ delay: 20 });
  const started = performance.now();
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(15);

  sandbox.faults.add({ delay: 3_000_000 });
  const signal = AbortSignal.timeout(20);
  await expect(sandbox.fetch(`${origin}/crm/v1/deals/501`, { signal })).rejects.toThrow('aborted due to timeout');
});

test('faults are listed as copies and can be cleared', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ status: 500, times: 3 });
  const [listed] = sandbox.faults.list();
  if (listed) listed.times = 100;
  expect(sandbox.faults.list()).toEqual([{ id: 1, status: 500, times: 3, seen: 0 }]);
  sandbox.faults.clear();
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
});

test.each<[string, Fault]>([
  // @ts-expect-error: JavaScript can name an operation that does not exist.
  ['There is no operation', { operation: 'createDeals', status: 500 }],
  ['no path of getDeal has {contactId}', { operation: 'getDeal', match: { path: { contactId: 1 } }, status: 500 }],
  ['no path of any operation has {id_}', { match: { path: { id_: 1 } }, status: 500 }],
  ['nth', { status: 500, nth: 0 }],
  ['probability', { status: 500, probability: 0 }],
  ['probability', { status: 500, probability: 1.1 }],
  ['randomSeed', { status: 500, randomSeed: 0.5 }],
  ['at most', { status: 500, body: 'x'.repeat(300_000) }],
  ['has a status, a delay or a drop', { operation: 'createDeal' }],
  ['times', { status: 500, times: 0 }],
  ['times', { status: 500, times: 1.5 }],
  ['status', { status: 42 }],
  ['body', { status: 204, body: {} }],
  ['body', { delay: 1, body: {} }],
  ['delay', { delay: -1 }],
  ['delay', { delay: 3_600_001 }],
])('a fault that could never happen is refused: %s', (reason, fault) => {
  const { sandbox } = start();
  expect(() => sandbox.faults.add(fault)).toThrow(reason);
  expect(sandbox.faults.list()).toEqual([]);
});

const statuses = async (sandbox: Sandbox, requests: readonly string[]): Promise<number[]> => {
  const found: number[] = [];
  for (const request of requests) found.push((await send(sandbox, request)).status);
  return found;
};
const getDeal = 'GET /crm/v1/deals/501';

test('a fault can wait for the nth matching request', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'getDeal', nth: 3, times: 2, status: 503 });
  const requests = [getDeal, 'GET /crm/v1/users', getDeal, getDeal, getDeal, getDeal];
  expect(await statuses(sandbox, requests)).toEqual([200, 200, 200, 503, 503, 200]);
});

test('a fault can last until it is removed, and others stay', async () => {
  const { sandbox } = start();
  const id = sandbox.faults.add({ operation: 'getDeal', times: 'always', status: 503 });
  const other = sandbox.faults.add({ operation: 'listUsers', status: 500 });
  expect(await statuses(sandbox, Array(5).fill(getDeal))).toEqual(Array(5).fill(503));
  expect(sandbox.faults.list()).toMatchObject([{ id, times: 'always', seen: 5 }, { id: other }]);
  expect([sandbox.faults.remove(id), sandbox.faults.remove(id)]).toEqual([true, false]);
  expect(await statuses(sandbox, [getDeal, 'GET /crm/v1/users'])).toEqual([200, 500]);
});

test('a fault matches a path value', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ operation: 'getDeal', match: { path: { dealId: 501 } }, status: 503 });
  expect(await statuses(sandbox, ['GET /crm/v1/deals/502', getDeal])).toEqual([404, 503]);
  sandbox.faults.add({ match: { path: { contactId: '3001' } }, status: 503 });
  expect(await statuses(sandbox, [getDeal, 'GET /crm/v1/contacts/3001'])).toEqual([200, 503]);
});

test.each<[unknown, number]>([
  [{ name: deal.name }, 503],
  [{ name: 'Other' }, 200],
  [{ contact: [3001] }, 503],
  [{ contact: [3002] }, 200],
  [{ contact: [3001, 3002, 3003] }, 200],
  [{ contact: {} }, 200],
  [{ attributes: [{ value: 'a' }] }, 503],
  [{ toString: {} }, 200],
  [null, 200],
  [{}, 503],
])('a fault matches a part of the body: %j → %i', async (part, status) => {
  const { sandbox } = start();
  sandbox.faults.add({ match: { body: part }, status: 503 });
  const body = { ...deal, contact: [3001, 3002], attributes: [{ attributeId: 61, value: 'a' }] };
  const response = await send(sandbox, deals, { body });
  expect(response.status === 503 ? 503 : 200).toBe(status);
});

test('a fault matches a header, whatever its case', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ match: { headers: { Authorization: 'Bearer two' } }, status: 503, times: 'always' });
  expect((await send(sandbox, getDeal, { token: 'one' })).status).toBe(200);
  expect((await send(sandbox, getDeal, { token: 'two' })).status).toBe(503);
});

test('a probability gives the same sequence for the same seed', async () => {
  const draw = async (randomSeed: number): Promise<number[]> => {
    const { sandbox } = start();
    sandbox.faults.add({ probability: 0.3, randomSeed, status: 503, times: 'always' });
    return statuses(sandbox, Array(200).fill(getDeal));
  };
  const first = await draw(7);
  expect(await draw(7)).toEqual(first);
  expect(await draw(8)).not.toEqual(first);
  const failed = first.filter((status) => status === 503).length;
  expect(failed).toBeGreaterThan(40);
  expect(failed).toBeLessThan(80);
});

test('the log names the fault that a request got', async () => {
  const { sandbox } = start();
  const id = sandbox.faults.add({ status: 503 });
  await statuses(sandbox, [getDeal, getDeal]);
  expect(sandbox.requests.map(({ fault }) => fault)).toEqual([id, undefined]);
});

test('there can be 100 faults, and a fault does not change with what it was made from', () => {
  const { sandbox } = start();
  const body = { message: 'Later' };
  for (let index = 0; index < 100; index += 1) sandbox.faults.add({ status: 500, body });
  expect(() => sandbox.faults.add({ status: 500 })).toThrow(/100 faults/);
  body.message = 'Changed';
  expect(sandbox.faults.list()[0]?.body).toEqual({ message: 'Later' });
  sandbox.faults.remove(1);
  expect(sandbox.faults.add({ status: 500 })).toBe(101);
});
