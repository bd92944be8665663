import { describe, expect, test } from 'vitest';
import { isCarillonError } from '../../../src/client/core/errors/is-carillon-error.ts';
import type { ClientOptions } from '../../../src/client/core/options.ts';
import { readSettings } from '../../../src/client/core/settings.ts';
import { createCrmClient } from '../../../src/client/crm.ts';
import { createClient } from '../../../src/client/index.ts';

const auth = { apiKey: 'key' };

function catchFrom(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/prefix//', 'https://api.example.com/prefix'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  ['http://127.10.20.30', 'http://127.10.20.30'],
  ['http://crm.localhost', 'http://crm.localhost'],
  ['http://[::1]:4010', 'http://[::1]:4010'],
])('reads baseUrl %s as %s', (baseUrl, expected) => {
  expect(readSettings({ baseUrl, auth }).baseUrl).toBe(expected);
});

test.each<[string, Partial<ClientOptions>, RegExp]>([
  ['no address', { baseUrl: '' }, /baseUrl must be an address such as/],
  ['another protocol', { baseUrl: 'ftp://api.example.com' }, /baseUrl must be an address such as/],
  ['a protocol that ends with http', { baseUrl: 'shttp://api.example.com' }, /baseUrl must be an address such as/],
  ['a password in the address', { baseUrl: 'https://u:hunter2@api.example.com' }, /must not contain a user name/],
  ['a user name alone', { baseUrl: 'https://hunter2@api.example.com' }, /must not contain a user name/],
  ['a query', { baseUrl: 'https://api.example.com?x=1' }, /must not contain .* query/],
  ['http elsewhere', { baseUrl: 'http://api.example.com' }, /must use https/],
  ['http on a look-alike of loopback', { baseUrl: 'http://127.0.0.1.example.com' }, /must use https/],
  ['http on a name that ends as loopback does', { baseUrl: 'http://evil-localhost' }, /must use https/],
  ['an empty key', { auth: { apiKey: '' } }, /auth\.apiKey is missing or empty/],
  ['a missing key', { auth: { apiKey: JSON.parse('null') } }, /auth\.apiKey is missing or empty/],
  ['a line break in the key', { auth: { apiKey: 'hunter2\r\nX-Admin: 1' } }, /auth\.apiKey/],
  ['a missing secret', { auth: { clientId: 'id', clientSecret: '' } }, /auth\.clientSecret is missing or empty/],
  ['a space before the key', { auth: { apiKey: ' hunter2' } }, /auth\.apiKey begins or ends with a space/],
  ['a line break after the key', { auth: { apiKey: 'hunter2\n' } }, /auth\.apiKey begins or ends with a space/],
  ['a space inside the key', { auth: { apiKey: 'hunter2 x' } }, /auth\.apiKey must contain only visible ASCII/],
  ['the scheme before the key', { auth: { apiKey: 'Bearer hunter2' } }, /the key alone, without 'Bearer '/],
  [
    'the scheme inside the key',
    { auth: { apiKey: 'hunter2 bearer x' } },
    /auth\.apiKey must contain only visible ASCII/,
  ],
  ['retries that are not whole', { maxRetries: 1.5 }, /maxRetries must be a whole number, 0 or more/],
  ['a negative number of retries', { maxRetries: -1 }, /maxRetries must be a whole number, 0 or more/],
  ['replayCreates of another type', { replayCreates: JSON.parse('1') }, /replayCreates must be true or false/],
  ['a list of headers', { headers: JSON.parse('["hunter2"]') }, /headers must be an object that maps names to values/],
  ['headers that are null', { headers: JSON.parse('null') }, /headers must be an object that maps names to values/],
  ['an object as header', { headers: JSON.parse('{"x-team": {"hunter2": 1}}') }, /The header "x-team" is not valid/],
  ['a long name of a header', { headers: { [`${'é'.repeat(60)}hunter2`]: 'x' } }, /The header "é{60}…" is not valid/],
  [
    'an unknown option',
    JSON.parse('{"timout": 5}'),
    /There is no option timout. Did you mean timeout\? The options are baseUrl, /,
  ],
  ['a name of the inside', JSON.parse('{"trusts": true}'), /There is no option trusts\. The options are /],
  ['a misspelt option before others', JSON.parse('{"baseUrl": 5, "maxRetrys": 1}'), /Did you mean maxRetries\?/],
  [
    'a misspelt option of auth',
    { auth: JSON.parse('{"clientId": "id", "clientSecret": "hunter2", "tokenstore": {}}') },
    /There is no option auth\.tokenstore. Did you mean tokenStore\? The options of this kind of auth are clientId, /,
  ],
  [
    'two kinds of auth',
    { auth: JSON.parse('{"apiKey": "hunter2", "clientSecret": "hunter2"}') },
    /There is no option auth\.clientSecret\. The options of this kind of auth are apiKey, allowBrowser/,
  ],
  ['a fetch that is not a function', JSON.parse('{"fetch": 5}'), /fetch must be a function/],
  ['a token function of another type', { auth: JSON.parse('{"getToken": "hunter2"}') }, /getToken must be a function/],
  ['an auth that is a text', { auth: JSON.parse('"hunter2"') }, /auth must be \{ apiKey \}/],
  ['an auth of another kind', { auth: JSON.parse('{"apikey": "hunter2"}') }, /auth must be \{ apiKey \}/],
  ['a timeout of 0', { timeout: 0 }, /timeout/],
  ['a timeout that is no number', { timeout: Number.NaN }, /timeout/],
])('throws for %s with advice, and without the secret', (_, options, message) => {
  try {
    readSettings({ baseUrl: 'https://api.example.com', auth, ...options });
    expect.unreachable();
  } catch (error) {
    expect(isCarillonError(error, 'ConfigError')).toBe(true);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
  }
});

test('the message for an unknown option lists only the options', () => {
  const options = { baseUrl: 'https://api.example.com', auth, ...JSON.parse('{"timout": 5}') };
  const names = [
    'baseUrl',
    'auth',
    'fetch',
    'trustConnectErrors',
    'headers',
    'timeout',
    'attemptTimeout',
    'maxRetries',
  ];
  names.push(
    'maxResponseBytes',
    'logger',
    'middleware',
    'showBodies',
    'validate',
    'allowInsecureHttp',
    'replayCreates',
  );
  const listed = /The options are (.*)/.exec(String(catchFrom(() => readSettings(options))));
  expect(listed?.[1]?.split(', ').sort()).toEqual(names.sort());
});

test.each(['null', 'undefined', '5'])('throws for %s as options, and shows the required ones', (options) => {
  const given = options === 'undefined' ? undefined : JSON.parse(options);
  expect(() => createClient(given)).toThrow(/^A client needs options: \{ baseUrl: .*auth: \{ apiKey \} \}$/);
});

test('reads headers with lower-case names, and numbers and booleans as text, without those that are null or undefined', () => {
  const headers = JSON.parse('{"X-Team": "bells", "x-count": 5, "x-test": true, "x-null": null}');
  const given = { baseUrl: 'https://api.example.com', auth, headers: { ...headers, 'x-none': undefined } };
  expect(readSettings(given).headers).toEqual({ 'x-team': 'bells', 'x-count': '5', 'x-test': 'true' });
});

test('permits http elsewhere on request, and if no credential is sent', () => {
  const baseUrl = 'http://internal.example.com';
  expect(readSettings({ baseUrl, auth, allowInsecureHttp: true }).baseUrl).toBe(baseUrl);
  expect(readSettings({ baseUrl, auth: null }).baseUrl).toBe(baseUrl);
});

test.each([
  [{ clientId: 'id', clientSecret: 'hunter2' }, /visitors to a page can read auth\.clientSecret/i],
  [{ apiKey: 'hunter2' }, /visitors to a page can read auth\.apiKey/i],
])(
  'in a browser, refuses %o unless the user allows it, the address is loopback, or a custom fetch sends',
  (credentials, message) => {
    const browser = { window: globalThis, document: {} };
    Object.assign(globalThis, browser);
    try {
      const baseUrl = 'https://api.example.com';
      expect(() => readSettings({ baseUrl, auth: credentials })).toThrow(message);
      expect(readSettings({ baseUrl, auth: { ...credentials, allowBrowser: true } }).baseUrl).toBe(baseUrl);
      expect(readSettings({ baseUrl: 'http://127.0.0.1:4012', auth: credentials }).baseUrl).toBe(
        'http://127.0.0.1:4012',
      );
      expect(readSettings({ baseUrl, auth: credentials, fetch: async () => new Response() }).baseUrl).toBe(baseUrl);
    } finally {
      for (const key of Object.keys(browser)) Reflect.deleteProperty(globalThis, key);
    }
  },
);

test('withOptions inherits every undefined option, and refuses an unknown one', async () => {
  const options: ClientOptions = {
    baseUrl: 'https://api.example.com',
    auth: null,
    maxRetries: 0,
    timeout: 1,
    headers: { 'x-team': 'bells' },
    fetch: async (_, { signal, headers }) => {
      expect(headers).toMatchObject({ 'x-team': 'bells' });
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const api = createCrmClient(options);
  const none = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]));
  await expect(api.withOptions(none).users.list()).rejects.toMatchObject({ name: 'DeadlineError' });
  expect(() => api.withOptions(JSON.parse('{"timout": 5}'))).toThrow(/There is no option timout/);
});

test('withOptions inherits an undefined option', async () => {
  const waits: unknown[] = [];
  const api = createCrmClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    maxRetries: 0,
    fetch: async (...call) => {
      waits.push(call);
      return new Response(null, { status: 503 });
    },
  });
  const same = api.withOptions({ maxRetries: undefined });
  await expect(same.users.list()).rejects.toMatchObject({ status: 503 });
  expect(waits).toHaveLength(1);
});

describe('a logger', () => {
  test.each<[string, unknown, string]>([
    ['console.log', console.log, 'logger must be an object with a warn function'],
    ['an empty object', {}, 'logger must be an object with a warn function'],
    ['a text', 'console', 'logger must be an object with a warn function'],
    ['an object whose warn is no function', { warn: true }, 'logger must be an object with a warn function'],
  ])('that is %s is refused', (_, logger, message) => {
    const error = catchFrom(() => readSettings({ baseUrl: 'https://api.example.com', auth, logger: logger as never }));
    expect(error).toMatchObject({ name: 'ConfigError', message });
  });

  test.each<[string, ClientOptions['logger']]>([
    ['console', console],
    [
      'an instance of a class',
      new (class {
        warn(): void {}
      })(),
    ],
    ['undefined', undefined],
  ])('may be %s', (_, logger) => {
    expect(readSettings({ baseUrl: 'https://api.example.com', auth, logger }).logger.warn).toBeTypeOf('function');
  });
});

describe('a middleware', () => {
  const read = (middleware: unknown) =>
    readSettings({ baseUrl: 'https://api.example.com', auth, middleware: middleware as never });

  test.each<[string, unknown, RegExp]>([
    ['a misspelt hook', [{ onRequset() {} }], /^There is no hook onRequset. Did you mean onRequest\? The hooks are /],
    ['a hook in lower case', [{}, { onend() {} }], /^There is no hook onend. Did you mean onEnd\?/],
    ['a hook of another library', [{ onRetry() {} }], /^There is no hook onRetry\. .*onStart, onRequest, onResponse/],
    ['a hook that is no function', [{ onStart: true }], /^onStart in a middleware must be a function$/],
  ])('with %s is refused', (_, middleware, message) => {
    expect(catchFrom(() => read(middleware))).toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(message),
    });
  });

  test('may have other fields, and inherit hooks and whatever else its class has', () => {
    class Metrics {
      count = 0;
      name = 'metrics';
      onEnd(): void {
        this.count += 1;
      }
      onceOnly(): void {}
    }
    const hooks = [new Metrics(), { onStart: undefined, label: 'x', once: true, online: true }];
    expect(read(hooks).middleware).toBe(hooks);
  });
});

test.each<[string, unknown]>([
  ['the function that makes one', () => undefined],
  ['an empty object', {}],
])('a validator that is %s is refused', (_, validate) => {
  const error = catchFrom(() =>
    readSettings({ baseUrl: 'https://api.example.com', auth, validate: validate as never }),
  );
  expect(error).toMatchObject({ name: 'ConfigError', message: 'validate must be an object with a check function' });
});
