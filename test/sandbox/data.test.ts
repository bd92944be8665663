import { beforeEach, expect, test, vi } from 'vitest';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { subscribersOf } from '../../src/sandbox/messaging/websites.ts';
import { firstBody, urlOf } from '../support/spec-requests.ts';
import { deal, send } from './raw.ts';
import { hour, start, startAt } from './support.ts';

// Seeds use the clock, so real time must not pass between two of them.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => vi.useRealTimers();
});

test('a reset restores the first data set, without faults and log', async () => {
  const { sandbox, api } = start();
  const { id } = await api.crm.deals.create(deal);
  await api.crm.deals.delete({ dealId: 501 });
  sandbox.faults.add({ status: 500 });
  sandbox.clock.advance(hour);
  sandbox.reset();
  expect(sandbox.state).toEqual(start().sandbox.state);
  expect([sandbox.requests, sandbox.faults.list(), sandbox.clock.now()]).toEqual([[], [], startAt + hour]);
  expect(sandbox.state.crm.deals.has(id)).toBe(false);
});

test('a reset can use another data set once', () => {
  const { sandbox } = start({ seed: 10 });
  const contacts = (): number => sandbox.state.crm.contacts.size;
  const first = contacts();
  sandbox.reset({ seed: 100 });
  expect(contacts()).toBe(first + 90);
  sandbox.reset({ seed: false });
  expect(contacts()).toBe(0);
  sandbox.reset();
  expect(contacts()).toBe(first);
});

test('every operation answers after a table is emptied whose records others name', async () => {
  const operations = Object.fromEntries(specNames.map((name) => [name as string, listOperations(loadSpec(name))]));
  const { state } = start().sandbox.snapshot();
  const tables = Object.entries(state).flatMap(([area, parts]) =>
    Object.entries(parts).flatMap(([table, records]) =>
      Array.isArray(records) && records.length > 0 ? [[area, table] as const] : [],
    ),
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const [area, table] of tables) {
    const sandbox = createSandbox({ control: true });
    const put = await send(sandbox, 'PUT /__sandbox/state', { body: { state: { [area]: { [table]: [] } } } });
    expect([table, put.status]).toEqual([table, 204]);
    for (const operation of operations[area] ?? []) {
      const { json } = firstBody(operation);
      const request = `${operation.method} ${urlOf(operation)}`;
      const { status } = await send(sandbox, request, { ...(json !== undefined && { body: json }) });
      expect([table, request, status < 500]).toEqual([table, request, true]);
    }
  }
});

test('the same seed gives the same data, and false gives an empty sandbox', () => {
  for (const seed of [true, 0, 200])
    expect(start({ seed }).sandbox.state, `seed ${seed}`).toEqual(start({ seed }).sandbox.state);
  expect(start({ seed: 0 }).sandbox.state).toEqual(start().sandbox.state);
  const { crm, messaging } = start({ seed: false }).sandbox.state;
  expect([crm.contacts.size, crm.pipelines.size, messaging.campaigns.size]).toEqual([0, 0, 0]);
});

test.each([-1, 1.5, Number.NaN])('an invalid seed changes nothing: %d', (seed) => {
  expect(() => createSandbox({ seed })).toThrow(RangeError);
  const { sandbox } = start();
  const { state } = sandbox;
  sandbox.faults.add({ status: 500 });
  expect(() => sandbox.reset({ seed })).toThrow(RangeError);
  expect(sandbox.state).toBe(state);
  expect(sandbox.faults.list()).toHaveLength(1);
});

test('a snapshot holds data and clock, ignores later calls, and can be restored repeatedly', async () => {
  const { sandbox, api } = start();
  const snapshot = sandbox.snapshot();
  for (const _ of [1, 2]) {
    const { id } = await api.crm.deals.create(deal);
    await api.crm.deals.delete({ dealId: 501 });
    sandbox.clock.advance(hour);
    sandbox.restore(snapshot);
    expect(sandbox.clock.now()).toBe(startAt);
    expect([sandbox.state.crm.deals.has(id), sandbox.state.crm.deals.has(501)]).toEqual([false, true]);
    expect(sandbox.state).toEqual(start().sandbox.state);
  }
});

test('indexes follow a restore', async () => {
  const { sandbox, api } = start();
  const before = sandbox.snapshot();
  await api.crm.tags.assign({ tagId: 15, contactId: 3002 });
  sandbox.restore(before);
  const { crm, messaging } = sandbox.state;
  expect([...crm.contactsByTag.keys(15)]).toEqual([3001]);
  expect([...subscribersOf(messaging, 42)]).toEqual([...messaging.subscribers.values()]);
});

test('a snapshot can be restored in another sandbox, without shared objects', async () => {
  const [one, other] = [start(), start({ seed: false })];
  other.sandbox.restore(one.sandbox.snapshot());
  await other.api.crm.deals.delete({ dealId: 501 });
  expect(await one.api.crm.deals.get({ dealId: 501 })).toMatchObject({ id: 501 });
});

test('sandboxes do not share data, clock, faults or log', async () => {
  const [one, other] = [start(), start()];
  await one.api.crm.deals.delete({ dealId: 501 });
  await one.api.crm.pipelines.update({ pipelineId: 1, name: 'Changed' });
  one.sandbox.clock.advance(hour);
  one.sandbox.faults.add({ status: 500 });
  expect(other.sandbox.state).toEqual(start().sandbox.state);
  expect([other.sandbox.clock.now(), other.sandbox.faults.list(), other.sandbox.requests]).toEqual([startAt, [], []]);
});

const day = 24 * hour;

test.each([
  ['three weeks after the story', Date.UTC(2026, 10, 24, 8)],
  ['at midnight, a year later', Date.UTC(2027, 10, 2)],
  ['just before midnight', Date.UTC(2028, 1, 29, 23, 59, 59)],
  ['two days after the story', Date.UTC(2026, 10, 5, 10, 30)],
])('the seed moves with the clock, so that today has a bounce and a subscriber: %s', async (_, now) => {
  const { sandbox, api } = start({ startAt: now });
  expect(await api.email.bounces.count()).toEqual({ total: 1 });
  expect((await api.messaging.push.websites.get({ id: 42 })).subscribers_today).toBe(1);
  const { crm, email, messaging } = sandbox.state;
  for (const { sentAt } of email.messages.values()) expect(now - sentAt).toBeLessThan(day);
  const moments = [
    ...[...email.messages.values()].map(({ sentAt }) => sentAt),
    ...[...crm.contacts.values()].map(({ createdAt }) => createdAt),
    ...[...messaging.campaigns.values()].map(({ sendAt }) => sendAt),
  ];
  expect(Math.max(...moments)).toBeLessThanOrEqual(now);
  expect(start({ startAt: now }).sandbox.state).toEqual(sandbox.state);
});

test('a table visits only present records, and rejects one under the key of another', async () => {
  const { sandbox, api } = start();
  const { deals } = sandbox.state.crm;
  await api.crm.deals.create(deal);
  const ids = [...deals.keys()];
  await api.crm.deals.delete({ dealId: 501 });
  const visited: number[] = [];
  deals.forEach((_, id) => void visited.push(id));
  expect(visited).toEqual(ids.filter((id) => id !== 501));
  const [id = 0] = visited;
  const other = deals.get(id);
  if (!other) return expect.unreachable();
  expect(() => deals.set(9_999, other)).toThrow(`the key 9999 differs from the key of the record, ${id}`);
});
