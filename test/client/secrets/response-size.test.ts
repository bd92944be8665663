import { expect, test } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { listen } from '../../support/server.ts';
import { failureOf } from './outputs.ts';

const silent = { warn: () => undefined };
const open = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, auth: { apiKey: 'k3y-v4lue' }, logger: silent, ...options });

/** A `fetch` whose responses state this length, and the number of its calls. */
function stating(length: string, status = 200, body = '{"data":[]}') {
  const state = { calls: 0 };
  const fetch = async (): Promise<Response> => {
    state.calls += 1;
    return new Response(body, { status, headers: { 'content-length': length } });
  };
  return { fetch, state };
}

test.each([200, 401, 503])(
  'a response with status %i that states a length above the limit is a ResponseError, is not read, and is not requested again',
  async (status) => {
    const { fetch, state } = stating('1001', status);
    const error = await failureOf(open('https://api.example.com', { fetch, maxResponseBytes: 1_000 }).crm.users.list());
    expect(error).toMatchObject({ name: 'ResponseError', status, sent: 'yes', attempts: 1, body: '' });
    expect(String(error)).toMatch(/: the response is longer than maxResponseBytes \(1000\)$/);
    expect(state.calls).toBe(1);
  },
);

test.each(['1000', 'many', '-5'])(
  'reads a response that states a length of %s, with a limit of 1000',
  async (length) => {
    const { fetch } = stating(length);
    expect(await open('https://api.example.com', { fetch, maxResponseBytes: 1_000 }).crm.users.list()).toEqual([]);
  },
);

test('closes the connection of a response that is not read', async () => {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { url } = await listen((_, response) => {
    response.once('close', close);
    response.writeHead(200, { 'content-length': '1000000' }).write('{');
  });
  const api = open(url, { maxResponseBytes: 999_999 });
  expect(await failureOf(api.crm.users.list())).toMatchObject({ name: 'ResponseError', sent: 'yes' });
  await closed;
});

test('the deadline ends a response that states no length and never ends, and its connection', async () => {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const { url } = await listen((_, response) => {
    response.once('close', close);
    const write = (): void => {
      if (!response.destroyed) response.write(' ', () => setImmediate(write));
    };
    write();
  });
  const api = open(url, { timeout: 50 });
  expect(await failureOf(api.crm.boards.create({ name: 'x' }))).toMatchObject({ name: 'DeadlineError', sent: 'yes' });
  await closed;
});

test('the default limit is 64 MB', async () => {
  const { fetch } = stating(String(64 * 2 ** 20 + 1));
  const error = await failureOf(open('https://api.example.com', { fetch }).crm.users.list());
  expect(error).toMatchObject({ name: 'ResponseError', message: expect.stringContaining('(67108864)') });
});

test('limits a token response to a megabyte', async () => {
  const { fetch } = stating(String(2 ** 20 + 1));
  const error = await failureOf(
    open('https://api.example.com', { auth: { clientId: 'id', clientSecret: 's3cret' }, fetch }).crm.users.list(),
  );
  expect(error).toMatchObject({
    name: 'TokenError',
    sent: 'no',
    message: expect.stringContaining('maxResponseBytes (1048576)'),
  });
});

test('calls a hook for a response that is too long, without its body', async () => {
  const seen: unknown[] = [];
  const api = open('https://api.example.com', {
    fetch: stating('2000').fetch,
    maxResponseBytes: 1_000,
    showBodies: true,
    middleware: [{ onResponse: (_, { status, body }) => void seen.push(status, body) }],
  });
  await failureOf(api.crm.users.list());
  expect(seen).toEqual([200, undefined]);
});

test.each([0, -1, Number.NaN, '5'])('throws for maxResponseBytes %j', (maxResponseBytes) => {
  const options = { maxResponseBytes } as Partial<ClientOptions>;
  expect(() => open('https://api.example.com', options)).toThrow('maxResponseBytes must be a number above 0');
});
