import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createClient,
  type HookAttempt,
  type HookCall,
  type HookResponse,
  isCarillonError,
  type Middleware,
} from '../../../src/client/index.ts';
import { countTimers, watchTimers } from './model/timers.ts';
import { silent } from './support.ts';

const baseUrl = 'https://api.example.com';
const boards = { name: 'Tasks' };

beforeEach(() => {
  vi.useFakeTimers();
  watchTimers();
});
afterEach(() => void vi.useRealTimers());

/** A client with a hook and answers of the given statuses. */
function observed(hook: Middleware, ...statuses: number[]) {
  const fetch = async () => {
    const status = statuses.shift() ?? 200;
    if (status === 0)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });
    return Response.json({ data: { id: 501 } }, { status, headers: { 'x-request': 'abc' } });
  };
  return createClient({
    baseUrl,
    auth: { apiKey: 'k3y-value' },
    fetch,
    middleware: [hook],
    logger: silent,
    timeout: 1_000,
  });
}

const forever = (): Promise<void> => new Promise(() => undefined);

test('observing hooks that never end neither delay a call nor end it', async () => {
  const slow: Middleware = { onStart: forever, onResponse: forever, onError: forever, onEnd: forever };
  const created = observed(slow).crm.boards.create(boards);
  await vi.advanceTimersByTimeAsync(0);
  expect(await created).toEqual({ id: 501 });
  const lost = observed(slow, 0).crm.boards.create(boards);
  await expect(lost).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  expect(countTimers()).toBe(0);
});

test('waits for onRequest within the deadline, and sends its headers', async () => {
  const asked = vi.fn();
  const slow: Middleware = {
    async onRequest({ headers }) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      headers.set('x-trace', 'abc');
    },
    onResponse: ({ headers }) => void asked(headers['x-trace']),
  };
  const created = observed(slow).crm.boards.create(boards);
  await vi.advanceTimersByTimeAsync(500);
  expect(await created).toEqual({ id: 501 });
  expect(asked).toHaveBeenCalledWith('abc');
  const late = observed({ onRequest: forever }).crm.boards.create(boards);
  const failed = expect(late).rejects.toMatchObject({ name: 'DeadlineError', sent: 'no' });
  await vi.advanceTimersByTimeAsync(1_000);
  await failed;
});

test('observing hooks receive plain data that survives JSON', async () => {
  const seen: object[] = [];
  const hook: Middleware = {
    onStart: (call) => void seen.push(call),
    onResponse: (request, response) => void seen.push(request, response),
    onError: (request, error) => void seen.push(request, error),
    onEnd: (call) => void seen.push(call),
  };
  const api = observed(hook, 0, 200, 422);
  const renamed = api.crm.deals.update({ dealId: 501, pipelineId: 1, stepId: 1, name: 'a', price: 1, status: 0 });
  await vi.advanceTimersByTimeAsync(500);
  await renamed;
  await api.crm.boards.create(boards).catch(() => undefined);
  expect(seen).toHaveLength(10);
  for (const value of seen) {
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    expect(structuredClone(value)).toEqual(value);
  }
  const [, lostRequest, lost, , answer, ended, , , , refused] = seen;
  expect(lostRequest).toMatchObject({
    operation: 'PUT /deals/{dealId}',
    attempt: 1,
    headers: { accept: 'application/json' },
  } satisfies Partial<HookAttempt>);
  expect(lost).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNRESET' } });
  expect(answer).toMatchObject({ status: 200, headers: { 'x-request': 'abc' } } satisfies Partial<HookResponse>);
  expect(ended).toEqual({
    callId: expect.any(Number),
    operationId: 'updateDeal',
    operation: 'PUT /deals/{dealId}',
    attempts: 2,
    sent: 'yes',
  } satisfies HookCall);
  expect(refused).toMatchObject({ attempts: 1, sent: 'yes', error: { name: 'UnprocessableEntityError', status: 422 } });
});

test("a hook cannot change a call's request or outcome", async () => {
  const meddle = (value: object): void => {
    for (const name of ['sent', 'attempts', 'status', 'url', 'current', 'error']) Reflect.set(value, name, 'no');
    const { headers } = value as { headers?: object };
    if (headers) Reflect.set(headers, 'authorization', 'Bearer other');
  };
  const hook: Middleware = { onStart: meddle, onResponse: (one, two) => [one, two].forEach(meddle), onEnd: meddle };
  const call = observed(hook, 503).crm.boards.create(boards);
  await expect(call).rejects.toMatchObject({ name: 'ServerError', sent: 'yes', attempts: 1 });
  expect(call.sent).toBe('yes');
});

test("errors have the hooks' call ID, and the address without its query", async () => {
  const seen: number[] = [];
  const api = observed({ onStart: ({ callId }) => void seen.push(callId) }, 422, 0);
  const refused = await api.crm.boards.create(boards).catch((error: unknown) => error);
  const lost = await api.email.messages
    .list({ sender: 'ann@example.com' }, { maxRetries: 0 })
    .withResponse()
    .catch((error: unknown) => error);
  for (const [index, error] of [refused, lost].entries()) {
    if (!isCarillonError(error)) throw error;
    expect(error.callId).toBe(seen[index]);
    expect(error.url).toBe(index ? `${baseUrl}/smtp/emails` : `${baseUrl}/crm/v1/boards`);
    expect(JSON.stringify(error)).not.toContain(baseUrl);
  }
});

test('an error before the first attempt has no address', async () => {
  const error = await observed({})
    .email.messages.get({ id: '..' })
    .catch((failure: unknown) => failure);
  expect(isCarillonError(error) && [error.url, typeof error.callId]).toEqual([undefined, 'number']);
});

test('hooks do not change the reason of an aborted call, even if it cannot be read', async () => {
  const reason = Object.defineProperty({}, 'message', {
    get() {
      throw new Error('from the getter');
    },
  });
  const call = observed({ onError: () => undefined, onEnd: () => undefined }).crm.boards.create(boards, {
    signal: AbortSignal.abort(reason),
  });
  await expect(call).rejects.toBe(reason);
});
