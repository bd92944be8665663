import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { AttemptMessage, CallMessage } from '../../../src/client/index.ts';
import { type Fault, reply, reset, serve, status } from '../../support/fault-server.ts';
import { clientOf } from './support.ts';

const calls = tracingChannel<unknown, CallMessage>('carillon:call');
const attempts = tracingChannel<unknown, AttemptMessage>('carillon:attempt');
const events = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
const deal = reply({ data: { id: 501, name: 'Renewal' } });
afterEach(() => vi.restoreAllMocks());

/** Summaries of all events of both channels, in order. */
function listen(): [string, CallMessage][] {
  const told: [string, CallMessage][] = [];
  for (const [name, channel] of [['call', calls] as const, ['try', attempts] as const]) {
    for (const event of events) {
      const subscriber = (message: unknown) => told.push([`${name} ${event}`, message as CallMessage]);
      channel[event].subscribe(subscriber);
      onTestFinished(() => void channel[event].unsubscribe(subscriber));
    }
  }
  return told;
}

test('a call and its attempts publish the events of tracePromise, with one message each', async () => {
  const told = listen();
  const { url } = await serve(status(503), deal);
  await clientOf(url).crm.deals.get({ dealId: 501 });
  const one = ['try start', 'try end', 'try asyncStart', 'try asyncEnd'];
  expect(told.map(([event]) => event)).toEqual([
    ...['call start', 'call end', ...one, ...one, 'call asyncStart', 'call asyncEnd'],
  ]);
  expect(new Set(told.map(([, message]) => message)).size).toBe(3);
});

test('the message of a call has its identity at the start and its outcome at the end', async () => {
  const told: object[] = [];
  const start = (message: unknown) => void told.push({ ...(message as CallMessage) });
  calls.start.subscribe(start);
  onTestFinished(() => void calls.start.unsubscribe(start));
  const ended = listen();
  const { url } = await serve(deal);
  await clientOf(url).crm.deals.get({ dealId: 501 });
  const known = { operationId: 'getDeal', operation: 'GET /deals/{dealId}', baseUrl: url, error: undefined };
  expect(told).toEqual([expect.objectContaining({ ...known, status: undefined, attempts: 0 })]);
  expect(ended.at(-1)?.[1]).toMatchObject({ ...known, status: 200, attempts: 1, sent: 'yes', result: undefined });
});

test('the message of an attempt has its number and the wait before it', async () => {
  const told: unknown[] = [];
  const start = ({ attempts, wait, status, error }: AttemptMessage) =>
    void told.push({ attempts, wait, status, error });
  attempts.start.subscribe(start as (message: unknown) => void);
  onTestFinished(() => void attempts.start.unsubscribe(start as (message: unknown) => void));
  const { url } = await serve(status(503), deal);
  await clientOf(url).crm.deals.get({ dealId: 501 });
  expect(told).toEqual([
    { attempts: 0, wait: 0, status: undefined, error: undefined },
    { attempts: 1, wait: 5, status: undefined, error: undefined },
  ]);
});

test('a failure is an error event, even if a call by path returns it', async () => {
  const told = listen();
  const { url } = await serve(status(404));
  const { error } = await clientOf(url).crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  const errors = told.filter(([event]) => event.endsWith('error'));
  expect(errors.map(([event, message]) => [event, message.error])).toEqual([['call error', error]]);
});

test.each<[string, Fault[], object]>([
  ['a 401 and no other token', [status(401)], { status: 401, attempts: 1, sent: 'maybe' }],
  ['a 503 and no token for another attempt', [status(503)], { status: 503, attempts: 1, sent: 'maybe' }],
  ['a reply that was lost after a 503', [status(503), reset], { status: undefined, attempts: 2, sent: 'maybe' }],
])('after %s, a call has the status of its last attempt', async (_, faults, expected) => {
  const told = listen();
  const { url } = await serve(...faults);
  const keys = faults.length > 1 ? ['k3y-1', 'k3y-2'] : ['k3y-1'];
  const auth = { getToken: () => keys.shift() ?? Promise.reject(new Error('sealed')) };
  await expect(clientOf(url, { maxRetries: 1, auth }).crm.deals.get({ dealId: 501 })).rejects.toThrow();
  expect(told.at(-1)?.[1]).toMatchObject(expected);
});

test('a call whose key is refused has the status of the refusal', async () => {
  const told = listen();
  const { url } = await serve(status(401));
  await expect(clientOf(url).crm.users.list()).rejects.toThrow('401');
  expect(told.at(-1)?.[1]).toMatchObject({ status: 401, attempts: 1, sent: 'yes' });
});

test('a path that is not a template is in no message', async () => {
  const told = listen();
  // @ts-expect-error: a filled path
  const call = clientOf('http://127.0.0.1').crm.GET('/deals/987654');
  await expect(call).rejects.toThrow('There is no operation GET /deals/987654');
  const messages = told.map(([, { error, ...message }]) => message);
  expect(inspect(messages)).toContain("operation: 'GET'");
  expect(inspect(messages)).not.toContain('987654');
});

test('messages contain no id, body or credential', async () => {
  const told = listen();
  const { url } = await serve(deal);
  const auth = { apiKey: 'k3y-value' };
  await clientOf(url, { auth }).crm.deals.update({
    dealId: 987654,
    pipelineId: 1,
    stepId: 2,
    name: 'plan',
    price: 1,
    status: 0,
  });
  const text = inspect(told, { depth: 9, showHidden: true, getters: true });
  expect(text).toContain('updateDeal');
  for (const secret of ['987654', 'k3y-value', "'plan'", 'Renewal']) expect(text).not.toContain(secret);
});

test('a store bound to a channel is available within the call and the attempt, but not after them', async () => {
  const store = new AsyncLocalStorage<string>();
  calls.start.bindStore(store, ({ operationId }) => operationId);
  onTestFinished(() => void calls.start.unbindStore(store));
  const inner = new AsyncLocalStorage<number>();
  attempts.start.bindStore(inner, (message) => (message as AttemptMessage).attempts);
  onTestFinished(() => void attempts.start.unbindStore(inner));
  const seen: unknown[] = [];
  const fetch = async () => {
    seen.push([store.getStore(), inner.getStore()]);
    return new Response(null, { status: seen.length === 1 ? 503 : 204 });
  };
  await clientOf('https://api.example.com', { fetch }).crm.deals.delete({ dealId: 501 });
  expect(seen).toEqual([
    ['deleteDeal', 0],
    ['deleteDeal', 1],
  ]);
  expect([store.getStore(), inner.getStore()]).toEqual([undefined, undefined]);
});

test('a throwing subscriber changes no outcome, and Node reports it as an uncaught exception', async () => {
  const uncaught: unknown[] = [];
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
  const own = new Error('from a subscriber');
  const fail = (): void => {
    throw own;
  };
  for (const event of events) for (const channel of [calls, attempts]) channel[event].subscribe(fail);
  try {
    const { url, received } = await serve(status(503), deal);
    expect(await clientOf(url).crm.deals.get({ dealId: 501 })).toEqual({ id: 501, name: 'Renewal' });
    expect(received).toHaveLength(2);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    for (const event of events) for (const channel of [calls, attempts]) channel[event].unsubscribe(fail);
    process.removeAllListeners('uncaughtException');
    for (const listener of before) process.on('uncaughtException', listener);
  }
  // Four events for the call and for each of its two attempts.
  expect(uncaught).toEqual(Array(12).fill(own));
});
