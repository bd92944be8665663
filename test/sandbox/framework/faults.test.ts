import { expect, test } from 'vitest';
import { createClient } from '../../../src/index.ts';
import { DroppedConnection, type Fault } from '../../../src/sandbox/index.ts';
import { start } from '../support.ts';
import { deal, origin, send } from './raw.ts';

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

test('a delay postpones the reply, and ends if the request is aborted', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ delay: 20 });
  const started = performance.now();
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(15);

  sandbox.faults.add({ delay: 1_000_000_000 });
  const signal = AbortSignal.timeout(20);
  await expect(sandbox.fetch(`${origin}/crm/v1/deals/501`, { signal })).rejects.toThrow('aborted due to timeout');
});

test('faults are listed as copies and can be cleared', async () => {
  const { sandbox } = start();
  sandbox.faults.add({ status: 500, times: 3 });
  const [listed] = sandbox.faults.list();
  if (listed) listed.times = 100;
  expect(sandbox.faults.list()).toEqual([{ status: 500, times: 3 }]);
  sandbox.faults.clear();
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
});

test.each<[string, Fault]>([
  ['There is no operation', { operation: 'createDeals', status: 500 }],
  ['has a status, a delay or a drop', { operation: 'createDeal' }],
  ['times', { status: 500, times: 0 }],
  ['times', { status: 500, times: 1.5 }],
  ['status', { status: 42 }],
  ['body', { status: 204, body: {} }],
  ['body', { delay: 1, body: {} }],
  ['delay', { delay: -1 }],
  ['delay', { delay: 2 ** 31 }],
])('a fault that could never happen is refused: %s', (reason, fault) => {
  const { sandbox } = start();
  expect(() => sandbox.faults.add(fault)).toThrow(reason);
  expect(sandbox.faults.list()).toEqual([]);
});
