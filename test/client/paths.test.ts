import { expect, test, vi } from 'vitest';
import { createPathsClient } from '../../src/client/paths.ts';

test('a paths-only client calls all three parts below their own base paths with one credential', async () => {
  const fetch = vi.fn(async (url: string, _init: RequestInit) =>
    Response.json(url.includes('/crm/') ? { data: [] } : []),
  );
  const api = createPathsClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' }, fetch });
  await api.crm.GET('/users');
  await api.messaging.GET('/msgr/senders');
  await api.email.GET('/smtp/senders');
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([
    'https://api.example.com/crm/v1/users',
    'https://api.example.com/msgr/senders',
    'https://api.example.com/smtp/senders',
  ]);
  for (const [, init] of fetch.mock.calls) {
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer my-key');
  }
});

test('a paths-only client has no methods', () => {
  const api = createPathsClient({ baseUrl: 'https://api.example.com', auth: null });
  expect(Object.keys(api.crm).sort()).toEqual(['DELETE', 'GET', 'POST', 'PUT']);
});
