import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeError } from '../../../src/client/core/cause.ts';
import { ConnectionError } from '../../../src/client/core/errors/local-errors.ts';
import { createClient, type HookRequest, type Middleware } from '../../../src/client/index.ts';
import { credentials, setUp } from './hooked-client.ts';

const legacy = { responsibleId: 7, firstName: 'Ann' };

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('calls hooks for each attempt in order: request, then response or error', async () => {
  const told: string[] = [];
  const hook = (name: string): Middleware => ({
    onRequest: ({ attempt }) => void told.push(`${name} request ${attempt}`),
    onResponse: ({ attempt }, { status }) => void told.push(`${name} answer ${attempt} ${status}`),
    onError: ({ attempt }, error) => void told.push(`${name} error ${attempt} ${error.message}`),
  });
  const { api } = setUp([hook('a'), hook('b')], {}, [
    () => new Response(null, { status: 503 }),
    () => {
      throw new Error('reset');
    },
  ]);
  await api.crm.deals.get({ dealId: 501 });
  expect(told).toEqual([
    ...['a request 1', 'b request 1', 'a answer 1 503', 'b answer 1 503'],
    ...['a request 2', 'b request 2', 'a error 2 reset', 'b error 2 reset'],
    ...['a request 3', 'b request 3', 'a answer 3 200', 'b answer 3 200'],
  ]);
});

test('the hooks of a call and its attempts share a unique callId', async () => {
  const told: [string, number][] = [];
  const hook: Middleware = {
    onStart: ({ callId, operationId }) => void told.push([`start ${operationId}`, callId]),
    onRequest: ({ callId, attempt }) => void told.push([`request ${attempt}`, callId]),
    onResponse: ({ callId }) => void told.push(['answer', callId]),
    onEnd: ({ callId, sent }) => void told.push([`end ${sent}`, callId]),
  };
  const { api } = setUp([hook], {}, [() => new Response(null, { status: 503 })]);
  await api.crm.deals.get({ dealId: 501 });
  const attempts = ['request 1', 'answer', 'request 2', 'answer'];
  expect(told.map(([event]) => event)).toEqual(['start getDeal', ...attempts, 'end yes']);
  expect(new Set(told.map(([, id]) => id)).size).toBe(1);
  await api.crm.deals.get({ dealId: 501 });
  expect(told.at(-1)?.[1]).not.toBe(told[0]?.[1]);
});

test('a call that fails before its first attempt has a start and an end', async () => {
  const told: unknown[] = [];
  const { api } = setUp([
    {
      onStart: ({ operation }) => void told.push(operation),
      onEnd: ({ attempts, sent }) => void told.push(attempts, sent),
    },
  ]);
  await expect(api.email.messages.get({ id: '..' })).rejects.toThrow("must not be '.' or '..'");
  expect(told).toEqual(['GET /smtp/emails/{id}', 0, 'no']);
});

test('waits for a hook before the next one and the request', async () => {
  const told: string[] = [];
  const slow: Middleware = {
    async onRequest({ headers }) {
      await Promise.resolve();
      headers.set('X-Trace', 'abc');
    },
  };
  const next: Middleware = { onRequest: ({ headers }) => void told.push(headers.get('X-Trace') ?? 'none') };
  const { api, sent } = setUp([slow, next]);
  await api.crm.deals.get({ dealId: 501 });
  expect([told, sent[0]?.headers.get('X-Trace')]).toEqual([['abc'], 'abc']);
});

test('passes operation, template, address and headers to a hook', async () => {
  const seen: HookRequest[] = [];
  const { api } = setUp([{ onRequest: (request) => void seen.push(request) }], {}, [() => Response.json([])]);
  await api.email.messages.list({ sender: 'ann@example.com' });
  expect(seen[0]).toMatchObject({
    operationId: 'listEmailMessages',
    operation: 'GET /smtp/emails',
    url: 'https://api.example.com/smtp/emails?sender=ann%40example.com',
    attempt: 1,
  });
  expect(seen[0]?.headers.get('accept')).toBe('application/json');
});

test('a hook that is an instance of a class keeps its this', async () => {
  class Counter implements Middleware {
    count = 0;
    onRequest(): void {
      this.count += 1;
    }
    onResponse(): void {
      this.count += 10;
    }
    onError(): void {
      this.count += 100;
    }
  }
  const counter = new Counter();
  const { api } = setUp([counter], {}, [
    () => {
      throw new Error('reset');
    },
  ]);
  await api.crm.deals.get({ dealId: 501 });
  expect(counter.count).toBe(112);
});

test("a hook's appended headers do not accumulate over attempts", async () => {
  const append: Middleware = { onRequest: ({ headers, attempt }) => headers.append('X-Try', String(attempt)) };
  const { api, sent } = setUp([append], { headers: { 'X-Team': 'a' } }, [() => new Response(null, { status: 503 })]);
  await api.crm.deals.get({ dealId: 501 });
  expect(sent.map(({ headers }) => [headers.get('X-Try'), headers.get('X-Team')])).toEqual([
    ['1', 'a'],
    ['2', 'a'],
  ]);
});

test('an invalid header fails in the hook, and no request is sent', async () => {
  const inject: Middleware = { onRequest: ({ headers }) => headers.set('X-Name', 'a\r\nX-Admin: 1') };
  const { api, sent } = setUp([inject]);
  await expect(api.crm.deals.get({ dealId: 501 })).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

const own = new Error('from the hook');
test.each<[string, Middleware]>([
  ['later', { onRequest: () => Promise.reject(own) }],
  [
    'at once',
    {
      onRequest: () => {
        throw own;
      },
    },
  ],
])('an error that onRequest throws %s fails the call unchanged, and no request is sent', async (_, hook) => {
  const { api, sent } = setUp([hook]);
  await expect(api.crm.deals.get({ dealId: 501 })).rejects.toBe(own);
  expect(sent).toEqual([]);
});

test("does not treat a hook's connection-like error as a lost request", async () => {
  const lost = new ConnectionError('The collector is down', 'maybe');
  const onRequest = vi.fn(() => Promise.reject(lost));
  const { api, sent } = setUp([{ onRequest }]);
  await expect(api.crm.deals.get({ dealId: 501 })).rejects.toBe(lost);
  expect(sent).toEqual([]);
  expect(onRequest).toHaveBeenCalledTimes(1);
});

test('after an abort, calls every hook without waiting for them', async () => {
  const controller = new AbortController();
  const told: unknown[] = [];
  const slow: Middleware = {
    onError: (_, error) => {
      told.push(error);
      return new Promise<void>(() => undefined);
    },
  };
  const failing: Middleware = {
    onError: (_, error) => {
      told.push(error);
      throw new Error('from the hook');
    },
  };
  const { api } = setUp([slow, failing, slow], {
    fetch: () => {
      controller.abort('enough');
      return new Promise<never>(() => undefined);
    },
  });
  await expect(api.crm.deals.get({ dealId: 501 }, { signal: controller.signal })).rejects.toBe('enough');
  const reason = { name: 'string', message: 'enough' };
  expect(told).toEqual([reason, reason, reason]);
});

test('a client of withOptions has its own hooks and shares the token', async () => {
  const told: string[] = [];
  const { api, sent } = setUp([{ onRequest: () => void told.push('old') }], { auth: credentials });
  await api.crm.deals.get({ dealId: 501 });
  told.length = 0;
  const other = api.withOptions({ middleware: [{ onRequest: () => void told.push('new') }] });
  await other.crm.deals.get({ dealId: 501 });
  expect(told).toEqual(['new']);
  expect(sent.filter(({ url }) => url.endsWith('/access_token'))).toHaveLength(1);
});

test('warns once per client of a deprecated operation, by method and by path, and never of others', async () => {
  const { api, warn } = setUp([]);
  for (let call = 0; call < 3; call += 1) {
    await api.crm.contacts.createLegacy(legacy);
    await api.crm.POST('/contacts', { body: legacy });
    await api.crm.deals.get({ dealId: 501 });
  }
  expect(warn.mock.calls).toEqual([
    ['carillon: POST /contacts (createLegacyContact) is deprecated', { operationId: 'createLegacyContact' }],
  ]);
  await api.withOptions({ timeout: 5_000 }).crm.contacts.createLegacy(legacy);
  expect(warn).toHaveBeenCalledTimes(1);
  const another = setUp([]);
  await another.api.crm.contacts.createLegacy(legacy);
  expect(another.warn).toHaveBeenCalledTimes(1);
});

test('sends warnings to the console without a logger', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const fetch = async () => Response.json({ data: { id: 3001 } });
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'k3y-value' }, fetch });
  await api.crm.contacts.createLegacy(legacy);
  expect(warn.mock.calls).toEqual([['carillon: POST /contacts (createLegacyContact) is deprecated']]);
});

describe('an error that hooks see', () => {
  test('has the name, message, code, status and stack of the original, and its causes', () => {
    const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    const error = Object.assign(new TypeError('fetch failed', { cause }), { status: 503 });
    expect(describeError(error)).toEqual({
      name: 'TypeError',
      message: 'fetch failed',
      status: 503,
      stack: error.stack,
      cause: { name: 'Error', message: 'reset', code: 'ECONNRESET', stack: cause.stack },
    });
  });

  test.each<[string, unknown, object]>([
    ['null', null, { name: 'object', message: 'null' }],
    ['a text', 'enough', { name: 'string', message: 'enough' }],
    ['undefined', undefined, { name: 'undefined', message: 'undefined' }],
    ['an object', {}, { name: 'Error', message: '' }],
    [
      'members of other types',
      { name: 1, message: 2, code: 3, status: '503', stack: [], cause: null },
      { name: 'Error', message: '', cause: { name: 'object', message: 'null' } },
    ],
  ])('describes %s', (_, error, expected) => {
    expect(describeError(error)).toStrictEqual(expected);
  });

  test('whose members cannot be read has the name Error', () => {
    const error = {
      name: 'Own',
      get stack(): string {
        throw new Error('private words');
      },
    };
    expect(describeError(error)).toStrictEqual({ name: 'Error', message: '' });
  });

  test('has at most five causes, even if they refer back to each other', () => {
    const error = new Error('loop');
    error.cause = error;
    let depth = 0;
    for (let seen = describeError(error).cause; seen; seen = seen.cause) depth += 1;
    expect(depth).toBe(5);
  });
});
