import { Keyv } from 'keyv';
import { Keyv as Keyv6 } from 'keyv-6';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Client, createClient, type TokenStore } from '../../../src/client/index.ts';
import { lifetime, startTokenApi } from './token-api.ts';

afterEach(() => {
  vi.useRealTimers();
});

function connect(baseUrl: string, tokenStore: TokenStore, clientId = 'id', warn = vi.fn()): Client {
  return createClient({
    baseUrl,
    auth: { clientId, clientSecret: 'secret', tokenStore },
    maxRetries: 0,
    logger: { warn },
  });
}

const read = (store: TokenStore, key: string) => store.get(key);
const call = (api: Client) => api.crm.deals.get({ dealId: 501 });

describe.each([
  ['Keyv 5', () => new Keyv()],
  ['Keyv 6', () => new Keyv6()],
])('tokens in %s', (_, createStore) => {
  test('clients with the same id and address share a token', async () => {
    const { url, issued } = await startTokenApi();
    const store = createStore();
    await call(connect(url, store));
    await call(connect(`${url}/`, store));
    expect(issued).toHaveLength(1);
  });

  test('clients with another id, address or path prefix do not share a token', async () => {
    const [one, two] = await Promise.all([startTokenApi(), startTokenApi()]);
    const store = createStore();
    await call(connect(one.url, store));
    await call(connect(one.url, store, 'other'));
    await call(connect(`${one.url}/prefix`, store));
    expect(one.issued).toHaveLength(3);
    await call(connect(two.url, store));
    expect(two.issued).toHaveLength(1);
  });

  test('the store drops a token at its end, not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { url } = await startTokenApi();
    const store = createStore();
    const set = vi.spyOn(store, 'set');
    await call(connect(url, store));
    const [key, token] = set.mock.calls[0] ?? [];
    if (typeof key !== 'string') return expect.unreachable();
    vi.setSystemTime(Date.now() + lifetime * 1000 - 1);
    expect(await read(store, key)).toEqual(token);
    vi.setSystemTime(Date.now() + 2);
    expect(await read(store, key)).toBeUndefined();
  });

  test('replaces a rejected token in the store', async () => {
    const { url, issued, reject } = await startTokenApi();
    const store = createStore();
    const first = connect(url, store);
    await call(first);
    reject('token-1');
    await call(first);
    await call(connect(url, store));
    expect(issued).toEqual(['token-1', 'token-2']);
  });
});

describe('a store that fails', () => {
  const fail = () => Promise.reject(new Error('redis://:hunter2@host'));
  const working: TokenStore = { get: () => undefined, set: () => undefined, delete: () => undefined };

  test.each<[string, TokenStore, string[]]>([
    ['to read', { ...working, get: fail }, ['carillon: could not read from the token store']],
    ['to write', { ...working, set: fail }, ['carillon: could not write to the token store']],
    [
      'to write, and says so by false, as Keyv does',
      { ...working, set: async () => false },
      ['carillon: could not write to the token store'],
    ],
    [
      'at once',
      {
        ...working,
        get: () => {
          throw new Error('redis://:hunter2@host');
        },
      },
      ['carillon: could not read from the token store'],
    ],
  ])('%s causes one warning without its address, and fails no call', async (_, store, warnings) => {
    const { url, issued } = await startTokenApi();
    const warn = vi.fn();
    const api = connect(url, store, 'id', warn);
    await Promise.all(Array.from({ length: 10 }, () => call(api)));
    expect(issued).toHaveLength(1);
    expect(warn.mock.calls.flat()).toEqual(warnings.map((warning) => expect.stringContaining(warning)));
  });

  test('to delete causes one warning, and the rejected token is still replaced', async () => {
    const { url, issued, reject } = await startTokenApi();
    const warn = vi.fn();
    const map = new Map<string, unknown>();
    const store = { get: (key: string) => map.get(key), set: map.set.bind(map), delete: fail };
    const api = connect(url, store, 'id', warn);
    await call(api);
    reject('token-1');
    await call(api);
    await call(connect(url, store));
    expect(issued).toEqual(['token-1', 'token-2']);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('could not delete from the token store')]]);
  });

  test('to write behind Keyv, which hides the reason, causes one warning, and fails no call', async () => {
    const { url } = await startTokenApi();
    const warn = vi.fn();
    class Full extends Map<string, unknown> {
      override set(): never {
        throw new Error('full');
      }
    }
    await call(connect(url, new Keyv({ store: new Full() }), 'id', warn));
    expect(warn.mock.calls).toEqual([[expect.stringContaining('could not write to the token store')]]);
  });
});
