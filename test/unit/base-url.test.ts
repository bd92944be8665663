import { expect, test, vi } from 'vitest';
import { readSettings } from '../../src/core/settings.ts';
import { createClient } from '../../src/index.ts';

const auth = null;

test('in a page, a path is on the origin of the page, and no path leads elsewhere', async () => {
  vi.stubGlobal('location', new URL('https://app.example.com/deals?open=7'));
  const read = (baseUrl: string): string => readSettings({ baseUrl, auth }).baseUrl;
  expect(read('/api')).toBe('https://app.example.com/api');
  expect(read('/')).toBe('https://app.example.com');
  for (const tricky of ['//evil.example', '/\\evil.example', '/\t/evil.example']) {
    expect(new URL(read(tricky)).origin).toBe('https://app.example.com');
  }
  expect(() => read('api.example.com')).toThrow(/baseUrl must be an address/);
  const fetch = vi.fn(async (_url: string) => Response.json({ data: [] }));
  await createClient({ baseUrl: '/api', auth, fetch }).crm.users.list();
  expect(fetch.mock.calls.map(([url]) => url)).toEqual(['https://app.example.com/api/crm/v1/users']);
});

test.each([
  ['without a page', undefined],
  ['in a page from disk', { origin: 'null' }],
])('%s, a path is no address', (_, location) => {
  vi.stubGlobal('location', location);
  expect(() => readSettings({ baseUrl: '/api', auth })).toThrow(/baseUrl must be an address/);
});
