import { expect, test } from 'vitest';
import { falseGzip, garbage, serve } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { failureOf, watchedClient, written } from './outputs.ts';

const apiKey = 'k3y-0f-4nn-4nd-b0b';
const later = 'an0ther-t0ken-0f-4nn';

/** A library's error that includes the request. */
function requestError(secret: string): Error {
  const headers = { authorization: `Bearer ${secret}` };
  return Object.assign(new Error(`Request failed: ${JSON.stringify({ headers })}`), {
    name: `RequestError ${secret}`,
    code: `ERR_${secret}`,
    config: { headers },
    request: { headers, socket: { headers } },
    toJSON: () => ({ headers }),
  });
}

const nested = (secret: string): [string, unknown][] => {
  const error = requestError(secret);
  const circular = new Error('circle', { cause: error });
  Object.assign(error, { cause: circular });
  const lazy = Object.defineProperty(new Error('lazy'), 'message', {
    get: () => {
      throw requestError(secret);
    },
  });
  return [
    ['an error', requestError(secret)],
    ['a nested error', new TypeError('fetch failed', { cause: requestError(secret) })],
    ['a circle of causes', circular],
    ['many errors', new AggregateError([requestError(secret), requestError(secret)], `all with ${secret}`)],
    ['an error with properties that throw', lazy],
    ['an object', { headers: { authorization: secret }, toString: () => `Bearer ${secret}` }],
    ['a text', `Bearer ${secret}`],
    ['an error with a changed message', Object.assign(requestError(secret), { message: 'short' })],
    ['nothing', undefined],
  ];
};

test.each(nested(apiKey))(
  '%s of a custom fetch that holds the credential does not appear in any output',
  async (_, reason) => {
    const { api, noted } = watchedClient({ auth: { apiKey }, fetch: () => Promise.reject(reason) });
    const error = await failureOf(api.crm.users.list());
    expect(error).toMatchObject({ name: 'ConnectionError' });
    expect(written(error) + noted.join('\n')).not.toContain(apiKey);
  },
);

test.each(nested(later))(
  '%s of getToken that holds the last token does not appear in any output',
  async (_, reason) => {
    let isFirst = true;
    const getToken = (): Promise<string> => {
      if (!isFirst) return Promise.reject(reason);
      isFirst = false;
      return Promise.resolve(later);
    };
    const { api, noted } = watchedClient({ auth: { getToken }, fetch: async () => Response.json({ data: [] }) });
    await api.crm.users.list();
    const error = await failureOf(api.crm.users.list());
    expect(error).toMatchObject({ name: 'TokenError' });
    expect(written(error) + noted.join('\n')).not.toContain(later);
  },
);

test('a cause keeps only name, code, message, frames and causes', async () => {
  const reason = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED', socket: {} }),
  });
  const { api } = watchedClient({ fetch: () => Promise.reject(reason) });
  const error = await failureOf(api.crm.users.list());
  if (!(error instanceof Error && error.cause instanceof Error && error.cause.cause instanceof Error)) throw error;
  const { cause } = error;
  expect([cause.name, cause.message]).toEqual(['TypeError', 'fetch failed']);
  expect(cause.stack).toMatch(/^TypeError: fetch failed\n +at .*causes\.test\.ts/);
  expect(cause.cause).toMatchObject({ name: 'Error', code: 'ECONNREFUSED', message: /connect ECONNREFUSED/ });
  expect(Object.keys(error.cause.cause)).toEqual(['name', 'code']);
});

test('the cause of several failed connections keeps each of them', async () => {
  const errors = ['192.0.2.1', '192.0.2.2'].map((host) => new Error(`connect ECONNREFUSED ${host}:443`));
  const { api } = watchedClient({ fetch: () => Promise.reject(new AggregateError(errors)) });
  const error = await failureOf(api.crm.users.list());
  expect(error).toMatchObject({ cause: { errors: errors.map(({ message }) => ({ message })) } });
});

test("no output contains the parser's copy of a response that is not HTTP", async () => {
  const { url } = await serve(garbage);
  const { api, noted } = watchedClient({ baseUrl: url, auth: { apiKey } });
  const error = await failureOf(api.crm.users.list());
  expect(error).toMatchObject({ cause: { name: 'TypeError', cause: { name: 'HTTPParserError' } } });
  expect(written(error) + noted.join('\n')).not.toMatch(/SSH|not-http/);
});

test.each([
  ['a refused connection', async () => refusedUrl],
  ['a body that is not compressed', async () => (await serve(falseGzip)).url],
])('%s is a cause without sockets, requests and buffers', async (_, start) => {
  const { api, noted } = watchedClient({ baseUrl: await start(), auth: { apiKey } });
  const error = await failureOf(api.crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', cause: { name: expect.any(String) } });
  expect(written(error) + noted.join('\n')).not.toMatch(/socket|Buffer|bytesWritten|k3y/);
});

test('the reason of an abort stays unchanged', async () => {
  const reason = requestError(apiKey);
  const controller = new AbortController();
  const { api } = watchedClient({ middleware: [], fetch: () => new Promise<never>(() => controller.abort(reason)) });
  expect(await failureOf(api.crm.users.list({ signal: controller.signal }))).toBe(reason);
});
