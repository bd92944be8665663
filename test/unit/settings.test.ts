import { expect, test } from 'vitest';
import { isConfigError } from '../../src/core/errors/local-errors.ts';
import type { ClientOptions } from '../../src/core/options.ts';
import { readSettings } from '../../src/core/settings.ts';

const auth = { apiKey: 'key' };

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/prefix//', 'https://api.example.com/prefix'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  ['http://[::1]:4010', 'http://[::1]:4010'],
])('baseUrl %s is read as %s', (baseUrl, expected) => {
  expect(readSettings({ baseUrl, auth }).baseUrl).toBe(expected);
});

test.each<[string, Partial<ClientOptions>, RegExp]>([
  ['no address', { baseUrl: '' }, /baseUrl is the service/],
  ['another protocol', { baseUrl: 'ftp://api.example.com' }, /baseUrl is the service/],
  ['a password in the address', { baseUrl: 'https://u:hunter2@api.example.com' }, /must not hold a user name/],
  ['a query', { baseUrl: 'https://api.example.com?x=1' }, /must not hold a query/],
  ['http elsewhere', { baseUrl: 'http://api.example.com' }, /must use https/],
  ['http on a look-alike of loopback', { baseUrl: 'http://127.0.0.1.example.com' }, /must use https/],
  ['an empty key', { auth: { apiKey: '' } }, /auth\.apiKey/],
  ['a line break in the key', { auth: { apiKey: 'hunter2\r\nX-Admin: 1' } }, /auth\.apiKey/],
  ['a missing secret', { auth: { clientId: 'id', clientSecret: '' } }, /auth\.clientId and auth\.clientSecret/],
  ['a timeout of 0', { timeout: 0 }, /timeout/],
  ['a timeout that is no number', { timeout: Number.NaN }, /timeout/],
])('%s is refused with what to do, and without the secret', (_, options, message) => {
  try {
    readSettings({ baseUrl: 'https://api.example.com', auth, ...options });
    expect.unreachable();
  } catch (error) {
    expect(isConfigError(error)).toBe(true);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
  }
});

test('http elsewhere is permitted on request, and where no credential travels', () => {
  const baseUrl = 'http://internal.example.com';
  expect(readSettings({ baseUrl, auth, allowInsecureHttp: true }).baseUrl).toBe(baseUrl);
  expect(readSettings({ baseUrl, auth: null }).baseUrl).toBe(baseUrl);
});

test('a client secret is refused in a browser unless the user insists', () => {
  const browser = { window: globalThis, document: {} };
  Object.assign(globalThis, browser);
  try {
    const credentials = { clientId: 'id', clientSecret: 'secret' };
    const baseUrl = 'https://api.example.com';
    expect(() => readSettings({ baseUrl, auth: credentials })).toThrow(/read by every visitor/);
    expect(readSettings({ baseUrl, auth: { ...credentials, allowBrowser: true } }).baseUrl).toBe(baseUrl);
  } finally {
    for (const key of Object.keys(browser)) Reflect.deleteProperty(globalThis, key);
  }
});
