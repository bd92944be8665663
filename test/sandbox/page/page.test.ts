import { expect, test } from 'vitest';
import { type PageOptions, withPage } from '../../../src/sandbox/page/with-page.ts';
import { origin } from '../raw.ts';
import { start } from '../support.ts';

type Headers = Record<string, string>;

function served(control: PageOptions['control']) {
  const { sandbox } = start({ control });
  const handler = withPage(sandbox, { control, links: { rules: 'https://docs.example.com/</script>' } });
  const get = async (headers: Headers = {}, path = '/', method = 'GET') =>
    handler.fetch(new Request(origin + path, { headers, method }));
  return { sandbox, get };
}

test('serves no page without control', async () => {
  const { get } = served(false);
  const response = await get({ host: 'localhost' });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
});

test.each<[string, Headers, number]>([
  ['this machine', { host: 'localhost:4012', 'sec-fetch-site': 'none' }, 200],
  ['a reload', { host: '127.0.0.1:4012', 'sec-fetch-site': 'same-origin' }, 200],
  ['DNS rebinding', { host: 'rebound.example' }, 403],
  ['a link or a frame of another site', { host: 'localhost', 'sec-fetch-site': 'cross-site' }, 403],
  ['a page of another origin', { host: 'localhost', origin: 'https://evil.example' }, 403],
])('allows the page under the conditions of control: %s', async (_, headers, status) => {
  const { get } = served(true);
  const response = await get(headers);
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, null]);
  expect((await response.text()).includes('<title>Carillon sandbox</title>')).toBe(status === 200);
});

test('with a token, the page has no data and control still needs the token', async () => {
  const { get } = served({ token: 'open-sesame' });
  const page = await get({ host: 'sandbox:4012' });
  expect(page.status).toBe(200);
  expect(await page.text()).not.toContain('open-sesame');
  expect((await get({ host: 'sandbox:4012' }, '/__sandbox/tables')).status).toBe(401);
});

test('only the root is the page; the sandbox answers other paths, and logs no visit', async () => {
  const { sandbox, get } = served(true);
  expect((await get({}, '/', 'POST')).status).toBe(404);
  expect((await get({ authorization: 'Bearer any' }, '/crm/v1/users')).status).toBe(200);
  expect(sandbox.requests).toHaveLength(2);
  await get();
  const head = await get({}, '/', 'HEAD');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(sandbox.requests).toHaveLength(2);
});

test('the page has a strict content security policy', async () => {
  const { get } = served(true);
  const response = await get();
  const text = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect([...policy.matchAll(/'sha256-[\w+/]{43}='/g)]).toHaveLength(2);
  const [, links = ''] = /id="links">(.*?)<\/script>/s.exec(text) ?? [];
  expect(JSON.parse(links)).toEqual({ rules: 'https://docs.example.com/</script>' });
});
