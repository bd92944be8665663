import { expect, test, vi } from 'vitest';
import { type Client, createClient } from '../../../src/client/index.ts';
import {
  type Fault,
  reset,
  respond,
  serve,
  serveRaw,
  slowly,
  stall,
  stallInBody,
  status,
} from '../../support/fault-server.ts';
import { client, credentials, kinds, operations, settle, signal, underFaults } from './harness.ts';

underFaults();

/** A reason can be any value, and must be returned unchanged. */
const reason = { because: 'the user left' };

const operation = (api: Client, { signal }: AbortController) => operations['POST that creates'](api, { signal });

test.each<[string, Fault]>([
  ['while it waits for an answer', stall],
  ['while the body stops', stallInBody],
  ['while the body comes', slowly({ data: 'x'.repeat(100_000) })],
])('an abort %s ends the call with its reason, and the service sees the connection close', async (_, fault) => {
  const controller = new AbortController();
  const closed = signal();
  const { url, received } = await serve((request, response) => {
    response.on('close', closed.give);
    fault(request, response);
    setImmediate(() => controller.abort(reason));
  });
  const { error } = await settle(operation(client(url), controller));
  expect(error).toBe(reason);
  await closed.given;
  expect(received).toHaveLength(1);
});

test('an abort during a token request ends its call, but not another call that waits for the token', async () => {
  const controller = new AbortController();
  const asked = signal();
  const released = signal();
  const { url, received } = await serve(async (request, response) => {
    if (request.url !== '/oauth/access_token') return respond({ data: { id: 1 } })(request, response);
    asked.give();
    await released.given;
    respond({ access_token: 'token', expires_in: 3600 })(request, response);
  });
  const api = client(url, { auth: credentials });
  const aborted = settle(operation(api, controller));
  const patient = settle(operations['POST that creates'](api));
  await asked.given;
  controller.abort(reason);
  expect((await aborted).error).toBe(reason);
  released.give();
  expect(await patient).toEqual({ value: { id: 1 } });
  expect(received).toHaveLength(2);
});

test.each<[string, Fault]>([
  ['for Retry-After', status(429, { 'Retry-After': '10' })],
  ['for back-off', status(503)],
  ['after a lost connection', reset],
])('an abort during the wait %s ends the call at once, without another attempt', async (_, fault) => {
  const controller = new AbortController();
  const { url, received } = await serve(fault);
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  const abort = () => void setImmediate(() => controller.abort(reason));
  // The timers stand still, so only the abort can end the wait.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const api = createClient({
    baseUrl: url,
    auth: null,
    // Called right before the wait.
    middleware: [{ onResponse: abort, onError: abort }],
  });
  const call = operations.GET(api, { signal: controller.signal });
  expect((await settle(call)).error).toBe(reason);
  expect(received).toHaveLength(1);
});

test('an abort during an upload ends the call', async () => {
  const controller = new AbortController();
  const { url } = await serveRaw((socket) => socket.once('data', () => controller.abort(reason)));
  const message = 'x'.repeat(10 * 1024 * 1024);
  const call = client(url).crm.deals.comments.create({ dealId: 501, message }, { signal: controller.signal });
  expect((await settle(call)).error).toBe(reason);
});

test('an abort between the pages of a list ends the iteration', async () => {
  const controller = new AbortController();
  const { url, received } = await serve(respond([{ id: '1' }]), stall);
  const run = async (): Promise<void> => {
    for await (const _ of client(url).email.messages.list({}, { signal: controller.signal })) {
      setImmediate(() => controller.abort(reason));
    }
  };
  expect((await settle(run())).error).toBe(reason);
  expect(received.length).toBeLessThanOrEqual(2);
});

test.each(kinds)('an abort before the call: %s rejects with the reason, and no request is sent', async (kind) => {
  const { url, received } = await serve(respond({ data: [] }));
  const api = client(url, { auth: credentials });
  expect((await settle(operations[kind](api, { signal: AbortSignal.abort(reason) }))).error).toBe(reason);
  expect(received).toEqual([]);
});

test("an abort without a reason is an AbortError, and a timeout signal a TimeoutError, like the platform's", async () => {
  const { url } = await serve(stall);
  const controller = new AbortController();
  const call = settle(operation(client(url), controller));
  controller.abort();
  expect((await call).error).toMatchObject({ name: 'AbortError' });
  const timed = client(url).crm.users.list({ signal: AbortSignal.timeout(1) });
  expect((await settle(timed)).error).toMatchObject({ name: 'TimeoutError' });
});

test('an abort after the end changes nothing', async () => {
  const { url } = await serve(respond({ data: { id: 1 } }));
  const controller = new AbortController();
  const call = operation(client(url), controller);
  expect(await settle(call)).toEqual({ value: { id: 1 } });
  controller.abort(reason);
  expect(await settle(call)).toEqual({ value: { id: 1 } });
});
