import { expect, test, vi } from 'vitest';
import { reset, respond, serve, status } from '../../support/fault-server.ts';
import { clientOf, failureOf } from './support.ts';

const deal = { dealId: 501 };
const done = respond({ data: { id: 501 } });

test('a hook that rejects with undefined fails the call, which was not sent', async () => {
  const call = clientOf('http://127.0.0.1', { middleware: [{ onRequest: () => Promise.reject() }] }).crm.users.list();
  expect(await failureOf(call)).toBeUndefined();
  expect(call.sent).toBe('no');
});

const own = new Error('from the hook');
const fail = (): never => {
  throw own;
};
test.each([
  ['onResponse', { onResponse: fail }],
  ['onResponse, later', { onResponse: () => Promise.reject(own) }],
  ['onStart', { onStart: fail }],
  ['onStart, later', { onStart: () => Promise.reject(own) }],
  ['onEnd', { onEnd: fail }],
  ['onEnd, later', { onEnd: () => Promise.reject(own) }],
])("a hook that throws in %s does not hide the service's answer, and the warning names it", async (name, hook) => {
  const warn = vi.fn();
  const { url } = await serve(done);
  const api = clientOf(url, { middleware: [hook], logger: { warn } });
  expect(await api.crm.boards.create({ name: 'Tasks' })).toEqual({ id: 501 });
  const message = `carillon: the '${name.split(',')[0]}' hook of a middleware failed; the call continues`;
  await vi.waitFor(() => expect(warn.mock.calls).toEqual([[message]]), { timeout: 15_000, interval: 1 });
});

test('a hook that throws in onError does not hide a lost response', async () => {
  const { url } = await serve(reset);
  const api = clientOf(url, { middleware: [{ onError: fail }] });
  expect(await failureOf(api.crm.boards.create({ name: 'Tasks' }))).toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
  });
});

test('an error that onRequest throws before a retry fails the call unchanged, and the call reports whether it was processed', async () => {
  const { url } = await serve(status(503));
  const api = clientOf(url, {
    middleware: [{ onRequest: ({ attempt }: { attempt: number }) => (attempt === 2 ? fail() : undefined) }],
  });
  const call = api.crm.deals.delete(deal);
  expect(await failureOf(call)).toBe(own);
  expect(call.sent).toBe('maybe');
});

test.each([
  ['at once', fail],
  ['later', () => Promise.reject(own)],
])('a logger that throws %s hides no outcome', async (_, log) => {
  const { url } = await serve(status(503), respond({ other: 1 }));
  const api = clientOf(url, { logger: { warn: log } });
  expect(await api.crm.deals.get(deal)).toEqual({ other: 1 });
});
