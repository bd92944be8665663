import { describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { countTimers, watchTimers } from '../outcomes/model/timers.ts';
import { failureOf, refusal, silent } from '../outcomes/support.ts';
import { never } from './fake-time.ts';
import { setUp } from './hooked-client.ts';

const renewal = { pipelineId: 1, stepId: 11, name: 'Renewal' };

/** A client whose `fetch` resolves to this value each time, and does not retry. */
function answering(answer: () => unknown, options: Partial<ClientOptions> = {}) {
  const fetch = vi.fn(async () => answer() as Response);
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'k3y-value' },
    fetch,
    maxRetries: 0,
    logger: silent,
    ...options,
  });
  return { api, fetch };
}

/** The members of a `Response` that the client needs, as a custom `fetch` may return them. */
const minimal = () => ({
  status: 200,
  ok: true,
  headers: new Headers(),
  text: async () => '{"data": {"id": 501}}',
});

test('calls fetch without a receiver, as the fetch of a page requires', async () => {
  const receivers: unknown[] = [];
  async function fetch(this: unknown): Promise<Response> {
    receivers.push(this);
    return Response.json({ data: { id: 501 } });
  }
  const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'k3y-value' } } as const;
  await createClient({ ...options, fetch }).crm.deals.get({ dealId: 501 });
  vi.stubGlobal('fetch', fetch);
  await createClient(options).crm.deals.get({ dealId: 501 });
  expect(receivers).toEqual([undefined, undefined]);
});

describe('the result of a custom fetch', () => {
  test('needs only status, ok, headers and text', async () => {
    const { api } = answering(minimal);
    expect(await api.crm.deals.get({ dealId: 501 })).toEqual({ id: 501 });
  });

  test.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a text', () => '{"data": {}}'],
    ['an object without status', () => ({ ...minimal(), status: undefined })],
    ['an object with a status that is a text', () => ({ ...minimal(), status: '200' })],
    ['an object without ok', () => ({ ...minimal(), ok: undefined })],
    ['an object without headers', () => ({ ...minimal(), headers: undefined })],
    ['plain headers', () => ({ ...minimal(), headers: { 'content-type': 'application/json' } })],
    ['headers without forEach', () => ({ ...minimal(), headers: { get: () => null } })],
    ['headers without get', () => ({ ...minimal(), headers: { forEach: () => undefined } })],
    ['an object without text', () => ({ ...minimal(), text: undefined })],
  ])('is no answer if it is %s', async (_, answer) => {
    const { api } = answering(answer);
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({
      name: 'ConnectionError',
      sent: 'maybe',
      message: expect.stringContaining('fetch resolved to something that is not a Response'),
    });
  });

  test('is a lost connection if it is a network error', async () => {
    const { api } = answering(() => Response.error());
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({
      name: 'ConnectionError',
      sent: 'maybe',
      message: expect.stringContaining('fetch resolved to a network error'),
    });
  });

  test('is a redirect if a browser hides its target, and another server may have answered', async () => {
    const { api } = answering(() => ({ ...minimal(), status: 0, ok: false, type: 'opaqueredirect' }));
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({
      name: 'ResponseError',
      sent: 'maybe',
      attempts: 1,
    });
  });
});

test('a connect error within a response neither proves that the request was not sent nor sends it again', async () => {
  const broken = () => new Response(new ReadableStream({ pull: (controller) => controller.error(refusal()) }));
  const { api, fetch } = answering(broken, { trustConnectErrors: true, maxRetries: 2 });
  const error = await failureOf(api.crm.deals.create(renewal));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  expect(String(error)).toContain('lost the connection to api.example.com');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a call that is aborted in the turn of its start does not reach fetch', async () => {
  const { api, fetch } = answering(minimal);
  const controller = new AbortController();
  const call = api.crm.deals.create(renewal, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toBe(controller.signal.reason);
  expect(call.sent).toBe('no');
  expect(fetch).not.toHaveBeenCalled();
});

test('a platform without fetch needs the option fetch', async () => {
  vi.stubGlobal('fetch', undefined);
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'key' } });
  const error = await failureOf(api.crm.deals.create(renewal));
  expect(error).toMatchObject({ name: 'ConfigError', sent: 'no', message: expect.stringContaining('fetch') });
});

test('attemptTimeout does not count while a call waits for its next attempt', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const answers = [() => Promise.reject(new Error('reset')), minimal];
  const { api, fetch } = answering(() => answers.shift()?.(), { maxRetries: 1, attemptTimeout: 100 });
  const call = api.crm.deals.get({ dealId: 501 });
  await vi.advanceTimersByTimeAsync(500);
  expect(await call).toEqual({ id: 501 });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('attemptTimeout neither ends a call that is sent only once nor makes it poll', async () => {
  vi.useFakeTimers();
  watchTimers();
  const { api } = answering(never, { maxRetries: 1, attemptTimeout: 100, timeout: 1_000 });
  const failure = failureOf(api.crm.deals.create(renewal));
  for (let timers = 0; timers < 3; timers += 1) await vi.advanceTimersToNextTimerAsync();
  expect(countTimers()).toBe(0);
  expect(await failure).toMatchObject({ name: 'DeadlineError', attempts: 1 });
});

test('does not hide a key of three characters, which would match unrelated text', async () => {
  const { api } = answering(
    () => {
      throw new Error('the key is wrong');
    },
    { auth: { apiKey: 'key' } },
  );
  expect(await failureOf(api.crm.users.list())).toMatchObject({ cause: { message: 'the key is wrong' } });
});

test.each([
  ['the key', { auth: { apiKey: 'k3y-v4lue' } }, {}],
  ['a credential of the caller, without its scheme', { auth: null }, { headers: { Authorization: 'Basic k3y-v4lue' } }],
])('hides %s in errors of fetch', async (_, options, call) => {
  const fail = () => {
    throw new Error('bad header k3y-v4lue');
  };
  const { api } = answering(fail, options);
  const error = await failureOf(api.crm.users.list(call));
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'bad header [redacted]' } });
});

test('hides a token after it was replaced, but remembers only the latest ones', async () => {
  const tokens = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => letter.repeat(8));
  const last = tokens.at(-1) ?? '';
  const waiting = [...tokens];
  const answers: (() => unknown)[] = tokens.map(() => minimal);
  const { api } = answering(() => answers.shift()?.(), { auth: { getToken: () => waiting.shift() ?? last } });
  for (const _ of tokens) await api.crm.users.list();
  const shown: unknown[] = [];
  for (const token of tokens) {
    answers.push(() => Promise.reject(new Error(token)));
    const error = await failureOf(api.crm.users.list());
    if (error instanceof Error && error.cause instanceof Error) shown.push(error.cause.message);
  }
  expect(shown).toHaveLength(26);
  expect(shown.slice(-18)).toEqual(Array(18).fill('[redacted]'));
  // A process that runs for long must not collect all of its tokens.
  expect(shown[2]).toBe(tokens[2]);
});

describe('hooks', () => {
  test('learn how long the answer took, in milliseconds', async () => {
    vi.useFakeTimers();
    const durations: number[] = [];
    const { api } = setUp([{ onResponse: (_, { duration }) => void durations.push(duration) }], {
      fetch: async () => {
        vi.advanceTimersByTime(25);
        return Response.json({ data: { id: 501 } });
      },
    });
    vi.advanceTimersByTime(1_000);
    await api.crm.deals.get({ dealId: 501 });
    expect(durations).toEqual([25]);
  });

  test('with other functions cause no warning', async () => {
    const { api, warn } = setUp([{ onStart: () => undefined }, {}], {}, [
      () => {
        throw new Error('reset');
      },
    ]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await api.crm.deals.get({ dealId: 501 });
    expect(warn).not.toHaveBeenCalled();
  });

  test.each(['onResponse', 'onError'] as const)('that throw in %s cause a warning that names it', async (name) => {
    const { api, warn } = setUp(
      [
        {
          [name]: () => {
            throw new Error('private words');
          },
        },
      ],
      {},
      [
        () => {
          throw new Error('reset');
        },
      ],
    );
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await api.crm.deals.get({ dealId: 501 });
    expect(warn.mock.calls).toEqual([[`carillon: the '${name}' hook of a middleware failed; the call continues`]]);
  });

  test('see a body only if there is one', async () => {
    const seen: object[] = [];
    const hook = {
      onRequest: (request: object) => void seen.push(request),
      onResponse: (request: object, response: object) => void seen.push(request, response),
    };
    const long = () => new Response('{', { headers: { 'content-length': '1000' } });
    const { api } = setUp([hook], { showBodies: true, maxResponseBytes: 999 }, [long]);
    expect(await failureOf(api.crm.users.list())).toHaveProperty('body', '');
    expect(seen.map((each) => 'body' in each)).toEqual([false, false, false]);
    await api.crm.deals.create(renewal);
    expect(seen.slice(3).map((each) => 'body' in each)).toEqual([true, true, true]);
  });
});
