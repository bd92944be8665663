import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { silent } from './support.ts';

const baseUrl = 'https://api.example.com';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

test('a failing operation takes no retries from another one, and says why it is not retried', async () => {
  let requests = 0;
  const fetch = async (url: string) => {
    requests += 1;
    return url.endsWith('/users') ? new Response(null, { status: 503 }) : Promise.reject(new Error('reset'));
  };
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent });
  const fail = () => api.crm.users.list().withResponse().catch(String);
  for (let call = 0; call < 60; call += 1) await fail();
  requests = 0;
  expect(await fail()).toMatch(/HTTP status 503; not retried, because the retry budget of listUsers is used up$/);
  expect(requests).toBe(1);
  requests = 0;
  expect(await api.crm.pipelines.list().then(String, String)).toMatch(/lost the connection.*: reset$/);
  expect(requests).toBe(3);
  for (let call = 0; call < 60; call += 1) await api.crm.pipelines.list().then(String, String);
  expect(await api.crm.pipelines.list().then(String, String)).toMatch(/reset; not retried, because/);
});

test.each([
  [429, 2],
  [503, 1],
])('a success after two retries that followed %i returns %i of them', async (status, returned) => {
  let failures = 0;
  let requests = 0;
  const fetch = async () => {
    requests += 1;
    failures -= 1;
    return failures >= 0
      ? new Response(null, { status, headers: { 'retry-after': '0' } })
      : Response.json({ data: [] });
  };
  const api = createClient({ baseUrl, auth: null, fetch, logger: silent });
  // 98 of the hundred retries.
  failures = 3 * 49;
  for (let call = 0; call < 49; call += 1) await api.crm.users.list().catch(() => undefined);
  expect(failures).toBe(0);
  failures = 2;
  expect(await api.crm.users.list()).toEqual([]);
  failures = 100;
  requests = 0;
  await api.crm.users.list().catch(() => undefined);
  expect(requests - 1).toBe(returned);
});

/** A service that accepts one token, and a client whose function returns it only with forceRefresh. */
function renewing(delay: () => Promise<void>, failures = 0) {
  const asked: boolean[] = [];
  let current = 'token-0';
  const api = createClient({
    baseUrl,
    logger: silent,
    auth: {
      async getToken({ forceRefresh }) {
        asked.push(forceRefresh);
        if (!forceRefresh) return current;
        await delay();
        if (failures > 0) {
          failures -= 1;
          throw new Error('vault sealed');
        }
        current = 'token-1';
        return current;
      },
    },
    fetch: async (_, { headers }) =>
      new Response('{"data": []}', { status: headers.authorization === 'Bearer token-1' ? 200 : 401 }),
  });
  return { api, asked };
}

test('twenty calls rejected with one token request one new token', async () => {
  const { api, asked } = renewing(() => Promise.resolve());
  await Promise.all(Array.from({ length: 20 }, () => api.crm.users.list()));
  expect(asked.filter((isForced) => isForced)).toHaveLength(1);
});

test('an aborted call does not end the refresh that others wait for', async () => {
  let finish = (): void => undefined;
  const { api, asked } = renewing(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const controller = new AbortController();
  const left = api.crm.users.list({ signal: controller.signal }).then(String, String);
  const stays = api.crm.users.list().then((users) => users);
  await vi.waitFor(() => expect(asked).toContain(true), { timeout: 15_000, interval: 1 });
  controller.abort('left');
  finish();
  expect([await left, await stays]).toEqual(['left', []]);
});

test('a late rejection of a token that was replaced twice requests no further token', async () => {
  const rejections: ((response: Response) => void)[] = [];
  let current = 0;
  let forced = 0;
  const api = createClient({
    baseUrl,
    logger: silent,
    auth: {
      getToken({ forceRefresh }) {
        if (forceRefresh) {
          forced += 1;
          current += 1;
        }
        return `token-${current}`;
      },
    },
    fetch: async (url, { headers }) => {
      const isLate = url.endsWith('/pipelines') && headers.authorization === 'Bearer token-0';
      if (isLate) return new Promise<Response>((resolve) => rejections.push(resolve));
      return new Response('{"data": []}', { status: headers.authorization === 'Bearer token-2' ? 200 : 401 });
    },
  });
  const late = api.crm.pipelines.list();
  await vi.waitFor(() => expect(rejections).toHaveLength(1), { timeout: 15_000, interval: 1 });
  await api.crm.users.list().then(String, String);
  await api.crm.users.list();
  rejections[0]?.(new Response('{}', { status: 401 }));
  expect(await late).toEqual([]);
  expect(forced).toBe(2);
});

test('a failed refresh fails the waiting calls, and the next rejected call tries again', async () => {
  const { api, asked } = renewing(() => Promise.resolve(), 1);
  const failed = await Promise.all([1, 2, 3].map(() => api.crm.users.list().then(String, String)));
  for (const error of failed) expect(error).toContain('auth.getToken failed');
  expect(await api.crm.users.list()).toEqual([]);
  expect(asked.filter((isForced) => isForced)).toHaveLength(2);
});

test('requests a token once per rejection if the endpoint always returns the rejected one', async () => {
  let tokens = 0;
  const api = createClient({
    baseUrl,
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    fetch: async (url) => {
      if (!url.endsWith('/access_token')) return new Response('{}', { status: 401 });
      tokens += 1;
      return Response.json({ access_token: 'always-the-same', token_type: 'Bearer', expires_in: 3600 });
    },
  });
  await expect(api.crm.boards.create({ name: 'Tasks' })).rejects.toMatchObject({
    name: 'AuthenticationError',
    attempts: 1,
  });
  expect(tokens).toBe(2);
});

test('a throwing validator does not fail calls because a token lives "3600" seconds', async () => {
  const api = createClient({
    baseUrl,
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    validate: {
      onInvalid: 'throw',
      check: (operationId) => (operationId === 'createToken' ? ['expires_in: text'] : []),
    },
    fetch: async (url) =>
      url.endsWith('/access_token')
        ? Response.json({ access_token: 't0ken', token_type: 'Bearer', expires_in: '3600' })
        : Response.json({ data: [] }),
  });
  expect(await api.crm.users.list()).toEqual([]);
});

test.each(['report', 'throw'] as const)(
  'a validate.check that throws after a POST loses no result: %s',
  async (onInvalid) => {
    const warn = vi.fn();
    const check = (): never => {
      throw new TypeError('a bug in check');
    };
    const fetch = async () => Response.json({ data: { id: 501 } });
    const api = createClient({ baseUrl, auth: null, fetch, logger: { warn }, validate: { onInvalid, check } });
    const created = api.crm.boards.create({ name: 'Tasks' });
    if (onInvalid === 'report') expect(await created).toEqual({ id: 501 });
    else await expect(created).rejects.toMatchObject({ name: 'ResponseError', sent: 'yes' });
    expect(warn.mock.calls.flat().join()).toEqual(
      onInvalid === 'report' ? expect.stringContaining('validate.check failed') : '',
    );
  },
);

test.each([
  ['no options', undefined, /needs options: \{ baseUrl/],
  ['a key with Bearer', { baseUrl, auth: { apiKey: 'Bearer abc' } }, /without 'Bearer '/],
  [
    'a key with a line break at its end',
    { baseUrl, auth: { apiKey: 'abc\n' } },
    /because the key comes from a file: trim the key/,
  ],
])('createClient with %s says what to change', (_, options, message) => {
  expect(() => Reflect.apply(createClient, undefined, [options])).toThrow(message);
});
