import { describe, expect, it } from 'vitest';
import { specMock } from '../support/spec-mock.ts';
import { fixtures, useMock } from './server.ts';

const call = useMock(fixtures);

describe('several specs at one address', () => {
  it('are each served under the base path of their server', async () => {
    const deal = await call('GET', '/shop/v1/deals/501');
    const websites = await call('GET', '/websites/');
    expect([deal.status, await deal.json()]).toEqual([200, { id: 501, name: 'Renewal' }]);
    expect([websites.status, await websites.json()]).toEqual([200, [{ id: 42 }]]);
  });

  it('responds 404 for an unknown path, with or without a token', async () => {
    for (const token of ['any', null]) {
      const response = await call('GET', '/shop/v1/nothing', { token });
      expect([response.status, await response.json()]).toMatchObject([404, { status: 404, title: 'Not Found' }]);
    }
  });

  it('suggests the path with the missing base path', async () => {
    for (const path of ['/deals/501', '/deals']) {
      const response = await call('GET', path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining(`Did you mean /shop/v1${path}?`) });
    }
  });

  it('responds 405 with Allow for a method that the path does not have', async () => {
    const response = await call('PATCH', '/shop/v1/deals/501');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS']);
  });

  it('responds to OPTIONS with the methods of the path', async () => {
    const response = await call('OPTIONS', '/shop/v1/deals', { token: null });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'OPTIONS, POST']);
  });

  it('responds to HEAD like GET, without a body', async () => {
    const response = await call('HEAD', '/shop/v1/deals/501');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json',
      '',
    ]);
  });
});

it('omits the body of a response to HEAD, even without a server', async () => {
  const mock = await specMock(fixtures);
  for (const path of ['/shop/v1/deals/501', '/nothing']) {
    const request = new Request(`http://mock${path}`, { method: 'HEAD', headers: { authorization: 'Bearer any' } });
    expect((await mock.fetch(request)).body).toBeNull();
  }
});

it('takes a Request, a URL or an address, each with init, and Request classes of others', async () => {
  const mock = await specMock(fixtures);
  const headers = { authorization: 'Bearer any' };
  const url = 'http://mock/shop/v1/deals/501';
  const other = {
    url,
    method: 'GET',
    headers: new Headers(headers),
    signal: new AbortController().signal,
    text: async () => '',
  };
  for (const input of [new Request(url, { headers }), other as Request])
    expect((await mock.fetch(input)).status).toBe(200);
  for (const input of [new URL(url), url, new Request(url)])
    expect((await mock.fetch(input, { headers })).status).toBe(200);
});

it('does not respond to an aborted request', async () => {
  const mock = await specMock(fixtures);
  await expect(mock.fetch('http://mock/websites', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
});

describe('paths as clients send them', () => {
  it.each([
    '/websites',
    '/websites/',
    '/websites//',
    '//websites',
    '/shop/v1/deals/501/',
    '/shop//v1/deals/501',
    '//shop/v1//deals//501//',
    '/shop/v1/deals/501?unknown=1&unknown=2&also',
  ])('takes %s', async (path) => {
    expect((await call('GET', path)).status).toBe(200);
  });

  it('prefers a literal path to a templated one', async () => {
    const definitions = await call('GET', '/shop/v1/deals/attributes/7');
    const ofDeal = await call('GET', '/shop/v1/deals/7/attributes');
    expect(await definitions.json()).toEqual({ definitions: true });
    expect(await ofDeal.json()).toEqual(['Called']);
  });

  it('treats a doubled slash before a literal as a slash, not as an empty value', async () => {
    expect((await call('GET', '/shop/v1/deals//attributes/7')).status).toBe(200);
  });

  it.each([
    ['an empty value in the middle', '/shop/v1/deals//comments', 'dealId'],
    ['an empty value at the end', '/shop/v1/deals/', 'dealId'],
  ])('responds 404 for %s', async (_what, path, parameter) => {
    const response = await call('GET', path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(`{${parameter}}`) });
  });

  it.each(['a,b', "it's", 'x@example.com', '(1)*;=&+$!', 'ä ö', '50%25', '%zz', 'a%2Fb', '.%2E.', 'line%0Abreak'])(
    'accepts %s as a value',
    async (author) => {
      expect((await call('POST', `/shop/v1/notes/${author}`, { json: {} })).status).toBe(200);
    },
  );
});
