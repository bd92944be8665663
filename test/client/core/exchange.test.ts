import { describe, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { failureOf, refusal, silent } from '../outcomes/support.ts';
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

  test('is a redirect if a browser hides its target', async () => {
    const { api } = answering(() => ({ ...minimal(), status: 0, ok: false, type: 'opaqueredirect' }));
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({
      name: 'ResponseError',
      sent: 'yes',
      tries: 1,
    });
  });
});

/** A reply with a body that is shorter than its `Content-Length`. */
const cut = (text: string, status = 200) =>
  new Response(new Blob([text]).stream(), { status, headers: { 'Content-Length': '27' } });

describe('a reply that is cut', () => {
  test.each(['', '{"data": {"id"'])('after %j is an error that has what was received', async (text) => {
    const { api } = answering(() => cut(text));
    const error = await failureOf(api.crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ResponseError', status: 200, sent: 'yes' });
    expect(error).toHaveProperty('body', text);
    expect(String(error)).toContain(`the service answered, but its reply ended after ${text.length} bytes`);
  });

  test('is tried again by a call that only reads, and then says how much was received', async () => {
    const { api, fetch } = answering(() => cut('{"data"'), { maxRetries: 1 });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const error = await failureOf(api.crm.deals.get({ dealId: 501 }));
    expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'the reply ended after 7 bytes' } });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('is the failure that its status says', async () => {
    const { api, fetch } = answering(() => cut('{"message"', 422));
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({
      name: 'UnprocessableEntityError',
      status: 422,
    });
    expect(await failureOf(api.crm.deals.get({ dealId: 501 }))).toMatchObject({ status: 422 });
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

test('a connect error within a reply does not prove that the request was not sent', async () => {
  const broken = () => new Response(new ReadableStream({ pull: (controller) => controller.error(refusal()) }));
  const { api } = answering(broken, { trustConnectErrors: true });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
});

test.each([
  ['the key', { auth: { apiKey: 'k3y!' } }, {}],
  ['a credential of the caller, without its scheme', { auth: null }, { headers: { Authorization: 'Basic k3y!' } }],
])('hides %s of four characters in errors of fetch', async (_, options, call) => {
  const fail = () => {
    throw new Error('bad header k3y!');
  };
  const { api } = answering(fail, options);
  const error = await failureOf(api.crm.users.list(call));
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { message: 'bad header [redacted]' } });
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
    expect(warn.mock.calls).toEqual([[`carillon: ${name} of a middleware failed; the call goes on`]]);
  });

  test('see a body only if there is one', async () => {
    const seen: object[] = [];
    const hook = {
      onRequest: (request: object) => void seen.push(request),
      onResponse: (request: object, response: object) => void seen.push(request, response),
    };
    const long = () => new Response('x'.repeat(1_000));
    const { api } = setUp([hook], { showBodies: true, maxReplyBytes: 999 }, [long]);
    expect(await failureOf(api.crm.users.list())).toHaveProperty('body', '');
    expect(seen.map((each) => 'body' in each)).toEqual([false, false, false]);
    await api.crm.deals.create(renewal);
    expect(seen.slice(3).map((each) => 'body' in each)).toEqual([true, true, true]);
  });
});
