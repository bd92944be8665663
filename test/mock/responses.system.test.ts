import { describe, expect, it } from 'vitest';
import { fixtures, useMock } from './server.ts';

const call = useMock(fixtures);

describe('a valid request', () => {
  it('gets a response with the documented status and the first example', async () => {
    const response = await call('POST', '/shop/v1/deals', { json: { name: 'Renewal' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json']);
    expect(await response.json()).toEqual({ id: 501, name: 'Renewal' });
  });

  it('gets a response without a body and a media type if none is documented', async () => {
    const empty = await call('POST', '/shop/v1/notes/ann', { json: { text: 'Hello' } });
    expect([empty.status, empty.headers.get('content-type'), await empty.text()]).toEqual([200, null, '']);
    expect((await call('DELETE', '/shop/v1/deals/501')).status).toBe(204);
  });

  it('gets a warning if the operation is deprecated', async () => {
    expect((await call('DELETE', '/shop/v1/deals/501')).headers.get('deprecation')).toBe('true');
  });

  it.each(['*/*', 'text/html', 'application/json;q=0.9, text/plain, */*', 'application/xml', 'nonsense'])(
    'gets a response in JSON for any Accept header: %s',
    async (accept) => {
      const response = await call('GET', '/shop/v1/deals/501', { headers: { accept } });
      expect([response.status, await response.json()]).toEqual([200, { id: 501, name: 'Renewal' }]);
    },
  );

  it.each([
    ['/shop/v1/deals/501', 'application/json', '{"a":1}'],
    ['/shop/v1/deals/501', 'application/json', ''],
    ['/shop/v1/deals/501', 'application/json', '{"a":'],
    ['/shop/v1/deals/501', 'text/plain', 'why not'],
    ['/shop/v1/deals/501', 'nonsense', 'why not'],
    ['/shop/v1/deals/501', 'nonsense', ''],
    ['/shop/v1/deals/501/comments', 'application/json', '{"ids":[1]}'],
  ])('may carry a body and a media type with DELETE: %s, %s', async (path, type, body) => {
    const response = await call('DELETE', path, { headers: { 'content-type': type }, body });
    expect(response.status).toBe(204);
  });
});

describe('Prefer', () => {
  const prefer = (value: string) => ({ headers: { prefer: value } });

  it('selects another documented response', async () => {
    const response = await call('GET', '/shop/v1/deals/501', prefer('code=404'));
    expect([response.status, await response.json()]).toEqual([404, { error: 'no such deal' }]);
  });

  it('selects any status if a default response is documented', async () => {
    const response = await call('POST', '/shop/v1/deals', { json: { name: 'a' }, ...prefer('code=503') });
    expect([response.status, await response.json()]).toEqual([503, { message: 'an example of another failure' }]);
    expect((await call('POST', '/shop/v1/deals', { json: { name: 'a' }, ...prefer('code=204') })).status).toBe(204);
  });

  it('selects another example', async () => {
    const response = await call('GET', '/shop/v1/deals/501', prefer('example=priced'));
    expect(await response.json()).toEqual({ id: 501, name: 'Renewal', price: 1200 });
  });

  it('creates a response from the schema', async () => {
    const response = await call('GET', '/shop/v1/deals/501', prefer('dynamic=true'));
    expect(await response.json()).toMatchObject({ id: expect.any(Number) });
  });

  it('applies to one request only', async () => {
    await call('GET', '/shop/v1/deals/501', prefer('code=404, dynamic=true'));
    expect((await call('GET', '/shop/v1/deals/501')).status).toBe(200);
  });

  it.each([
    ['code=abc', 'code'],
    ['code=100', 'code=100'],
    ['code=999', '200 to 599'],
    ['code=418', '418'],
    ['example=unheard-of', 'unheard-of'],
  ])('is rejected with a reason if the spec cannot meet it: %s', async (value, reason) => {
    const response = await call('GET', '/shop/v1/deals/501', prefer(value));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) });
  });
});
