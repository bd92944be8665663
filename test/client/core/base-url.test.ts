import { expect, test, vi } from 'vitest';
import type { ClientOptions } from '../../../src/client/core/options.ts';
import { readSettings } from '../../../src/client/core/settings.ts';
import { createCrmClient } from '../../../src/client/crm.ts';
import { createEmailClient } from '../../../src/client/email.ts';
import { createClient } from '../../../src/client/index.ts';
import { createMessagingClient } from '../../../src/client/messaging.ts';
import { createPathsClient } from '../../../src/client/paths.ts';

const auth = null;

/** A service without records that remembers the requested addresses. */
function emptyService() {
  const called: string[] = [];
  const fetch = async (url: string) => {
    called.push(url);
    return Response.json({ data: [] });
  };
  return { called, fetch };
}

test("in a page, a path is relative to the page's origin and cannot leave it", async () => {
  vi.stubGlobal('location', new URL('https://app.example.com/deals?open=7'));
  const read = (baseUrl: string): string => readSettings({ baseUrl, auth }).address();
  expect(read('/api')).toBe('https://app.example.com/api');
  expect(read('/api//')).toBe('https://app.example.com/api');
  expect(read('/')).toBe('https://app.example.com');
  for (const tricky of ['//evil.example', '/\\evil.example', '/\t/evil.example']) {
    expect(new URL(read(tricky)).origin).toBe('https://app.example.com');
  }
  expect(() => readSettings({ baseUrl: 'api.example.com', auth })).toThrow(
    /^baseUrl must be an address such as https:\/\/api\.example\.com$/,
  );
  const { called, fetch } = emptyService();
  await createClient({ baseUrl: '/api', auth, fetch }).crm.users.list();
  expect(called).toEqual(['https://app.example.com/api/crm/v1/users']);
});

test.each([
  ['on a server', undefined],
  ['in a page from disk', { origin: 'null' }],
])('%s, creates a client with a path, whose calls fail with advice', async (_, location) => {
  vi.stubGlobal('location', location);
  const { called, fetch } = emptyService();
  const api = createClient({ baseUrl: '/api', auth, fetch });
  const failure = {
    name: 'ConfigError',
    message: expect.stringMatching(/^baseUrl must be an address .* not on a server/),
    operationId: 'listUsers',
    attempts: 0,
    sent: 'no',
  };
  await expect(api.crm.users.list()).rejects.toMatchObject(failure);
  await expect(api.withOptions({ maxRetries: 5 }).crm.users.list()).rejects.toMatchObject(failure);
  await expect(api.crm.GET('/users')).rejects.toMatchObject(failure);
  expect(called).toEqual([]);
});

test('resolves a path at the first call, and keeps the result', async () => {
  const { called, fetch } = emptyService();
  const api = createClient({ baseUrl: '/api', auth, fetch });
  await expect(api.crm.users.list()).rejects.toThrow('not on a server');
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  await api.crm.users.list();
  vi.stubGlobal('location', undefined);
  await api.crm.users.list();
  expect(called).toEqual(Array(2).fill('https://app.example.com/api/crm/v1/users'));
});

test.each<[string, Partial<ClientOptions>, RegExp]>([
  ['a query', { baseUrl: '/api?x=1' }, /must not contain .* query/],
  ['a credential on a page without TLS', { auth: { apiKey: 'hunter2' } }, /must use https/],
])('throws for %s at the first call if the address is a path', async (_, options, message) => {
  vi.stubGlobal('location', new URL('http://app.example.com/'));
  const { called, fetch } = emptyService();
  const api = createClient({ baseUrl: '/api', auth, fetch, ...options });
  const failure = { name: 'ConfigError', message: expect.stringMatching(message), sent: 'no' };
  await expect(api.crm.users.list()).rejects.toMatchObject(failure);
  expect(called).toEqual([]);
});

test('throws for a key that visitors of a page could read at the first call if the address is a path', async () => {
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  vi.stubGlobal('document', {});
  const globalFetch = vi.fn();
  vi.stubGlobal('fetch', globalFetch);
  const api = createClient({ baseUrl: '/api', auth: { apiKey: 'hunter2' } });
  await expect(api.crm.users.list()).rejects.toThrow(/visitors to a page can read auth\.apiKey/i);
  expect(globalFetch).not.toHaveBeenCalled();
});

test('accepts getToken in a page, because it contains no key', async () => {
  vi.stubGlobal('document', {});
  const globalFetch = vi.fn(async () => Response.json({ data: [] }));
  vi.stubGlobal('fetch', globalFetch);
  const api = createClient({ baseUrl: 'https://api.example.com', auth: { getToken: () => 'token' } });
  expect(await api.crm.users.list()).toEqual([]);
  expect(globalFetch).toHaveBeenCalledOnce();
});

test('throws for an unusable credential on creation, even with a path', () => {
  expect(() => createClient({ baseUrl: '/api', auth: { apiKey: '' } })).toThrow(/auth\.apiKey is missing or empty/);
});

test('stores tokens of client credentials under the resolved address', async () => {
  const keys: string[] = [];
  const tokenStore = { get: (key: string) => void keys.push(key), set: () => true, delete: () => true };
  const fetch = async (url: string) =>
    Response.json(url.endsWith('/oauth/access_token') ? { access_token: 't0ken', expires_in: 3600 } : { data: [] });
  const api = createClient({ baseUrl: '/api', auth: { clientId: 'id', clientSecret: 'secret', tokenStore }, fetch });
  vi.stubGlobal('location', new URL('https://app.example.com/'));
  await api.crm.users.list();
  expect(keys).toEqual(['carillon:token:https://app.example.com/api:id']);
});

test.each([
  'https://{tenant}.example.com',
  'https://api.example.com/{region}',
  'https://api.example.com/%7Bregion%7D}',
])('throws for an address with a placeholder that is not filled in: %s', (baseUrl) => {
  expect(() => createClient({ baseUrl, auth })).toThrow(
    /^baseUrl must not contain \{ or \}: replace the placeholders$/,
  );
});

test('fills only the path of the operation, whatever the address has', async () => {
  const { called, fetch } = emptyService();
  await createClient({ baseUrl: 'https://api.example.com/%7BdealId%7D', auth, fetch }).crm.deals.get({ dealId: 5 });
  expect(called).toEqual(['https://api.example.com/%7BdealId%7D/crm/v1/deals/5']);
});

const create = { createClient, createCrmClient, createMessagingClient, createEmailClient, createPathsClient };

test.each(Object.keys(create) as (keyof typeof create)[])('%s throws for a base URL that is not a string', (name) => {
  for (const baseUrl of [undefined, null, 4012, new URL('https://api.example.com')]) {
    expect(() => Reflect.apply(create[name], undefined, [{ baseUrl, auth: null }])).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: 'baseUrl must be an address such as https://api.example.com',
      }),
    );
  }
});
