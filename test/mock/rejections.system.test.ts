import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fixtures, useMock } from './server.ts';

const call = useMock(fixtures);

interface Problem {
  status: number;
  detail: string;
  violations: { location: string[]; message: string; code: string }[];
}

async function rejected(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body: Problem = JSON.parse(await response.text());
  expect(body.status).toBe(response.status);
  return body;
}

describe('a request without a token', () => {
  it('gets 401, with instructions', async () => {
    const response = await call('GET', '/shop/v1/deals/501', { token: null });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const { detail, violations } = await rejected(response);
    expect(detail).toContain('Authorization: Bearer');
    expect(violations).toMatchObject([{ location: ['header', 'Authorization'], code: 'unauthorized' }]);
  });

  it('gets 401 for another scheme too', async () => {
    const headers = { authorization: 'Basic YTpi' };
    expect((await call('GET', '/shop/v1/deals/501', { token: null, headers })).status).toBe(401);
  });

  it('is accepted if the operation needs no token, and any token is accepted', async () => {
    const json = { client_id: 'abc' };
    expect((await call('POST', '/token', { token: null, json })).status).toBe(200);
    expect((await call('POST', '/token', { token: 'x', json })).status).toBe(200);
    const headers = { authorization: 'bearer in-lower-case' };
    expect((await call('GET', '/shop/v1/deals/501', { token: null, headers })).status).toBe(200);
  });
});

describe('a body that violates the spec', () => {
  it('is rejected with every violation and its place', async () => {
    const json = { name: 'much too long', price: -1, currency: 'EUR', contacts: [{ id: 1 }, { id: 'two' }] };
    const response = await call('POST', '/shop/v1/deals', { json });
    expect(response.status).toBe(422);
    const { violations } = await rejected(response);
    expect(violations.map(({ location, code }) => [location.join('.'), code])).toEqual([
      ['body.name', 'maxLength'],
      ['body.price', 'minimum'],
      ['body.contacts.1.id', 'type'],
    ]);
  });

  it('is rejected at the place of a missing property', async () => {
    const { violations } = await rejected(await call('POST', '/shop/v1/deals', { json: {} }));
    expect(violations).toMatchObject([{ location: ['body', 'name'], code: 'required' }]);
  });

  it('is rejected if it is missing', async () => {
    const response = await call('POST', '/shop/v1/deals');
    expect(response.status).toBe(422);
    expect((await rejected(response)).violations).toMatchObject([{ location: ['body'], code: 'required' }]);
  });

  it('is validated by the dialect of OpenAPI 3.1', async () => {
    const response = await call('POST', '/shop/v1/deals', { json: { name: 'a', price: 1 } });
    expect((await rejected(response)).violations).toMatchObject([{ code: 'dependentRequired' }]);
  });

  it('is rejected with its own violations, even if the spec documents an example', async () => {
    const response = await call('POST', '/shop/v1/notes/ann', { json: { color: 'blue', 'a/b': 1 } });
    expect(response.status).toBe(400);
    const text = await response.clone().text();
    expect(text).not.toContain('another failure');
    const { violations } = await rejected(response);
    expect(violations.map(({ location }) => location)).toEqual([
      ['body', 'color'],
      ['body', 'a/b'],
    ]);
    expect(violations[0]?.message).toContain('red, green');
  });

  it('is rejected even if the operation documents no failure', async () => {
    const response = await call('DELETE', '/shop/v1/deals/501/comments', { json: { ids: ['x'] } });
    expect(response.status).toBe(422);
    expect((await rejected(response)).violations).toMatchObject([{ location: ['body', 'ids', '0'], code: 'type' }]);
    const bare = await call('DELETE', '/shop/v1/deals/501/comments', { token: null, json: { ids: [1] } });
    expect(bare.status).toBe(401);
    const { violations } = await rejected(bare);
    expect(violations).toMatchObject([{ location: ['header', 'Authorization'] }]);
  });
});

describe('a schema that is described as a whole', () => {
  const rejection = async (json: object) => {
    const { violations } = await rejected(await call('POST', '/shop/v1/deals', { json: { name: 'a', ...json } }));
    return violations.map(({ location, message, code }) => [location.join('.'), message, code]);
  };
  const phone = 'A phone number, as an integer or as a string of digits (an assumption: its form is not documented)';

  it('gets its sentence as the only violation of its place if none of its forms fits', async () => {
    expect(await rejection({ phones: ['+15550100123', 15550100123, true] })).toEqual([
      ['body.phones.0', phone, 'anyOf'],
      ['body.phones.2', phone, 'anyOf'],
    ]);
  });

  it('gets the sentence of what must not be', async () => {
    const sentence = 'The deal has a closing date without an opening date.';
    expect(await rejection({ closed: '2026-11-04', price: -1, currency: 'EUR' })).toEqual([
      ['body', sentence, 'not'],
      ['body.price', expect.any(String), 'minimum'],
    ]);
  });

  it('is rejected with its sentence and with each violation inside it once', async () => {
    expect(await rejection({ lines: [{ count: 'x' }] })).toEqual([
      ['body.lines.0', 'A line with an ID or with a name.', 'anyOf'],
      ['body.lines.0.id', expect.stringContaining("required property 'id'"), 'required'],
      ['body.lines.0.count', expect.stringContaining('must be integer'), 'type'],
      ['body.lines.0.name', expect.stringContaining("required property 'name'"), 'required'],
    ]);
  });

  it('is rejected with all violations if it has no description', async () => {
    expect((await rejection({ size: 'x' })).map(([, , code]) => code)).toEqual(['type', 'type', 'anyOf']);
  });
});

describe('a limit that the documents do not state', () => {
  it('is called an assumption', async () => {
    const response = await call('POST', '/shop/v1/deals', { json: { name: 'much too long', stage: 'too long' } });
    const { violations, detail } = await rejected(response);
    expect(violations.map(({ message }) => message)).toEqual([
      'Request body property name must NOT have more than 10 characters',
      'Request body property stage must NOT have more than 5 characters (an assumption: its length is not documented)',
    ]);
    expect(detail).not.toContain('assumption');
    const query = await rejected(await call('GET', '/shop/v1/deals/501?offset=x'));
    expect(query.detail).toContain('(an assumption: its type is not documented)');
  });
});

describe('a parameter that violates the spec', () => {
  it('is rejected under its own name, in the query and in the path', async () => {
    const response = await call('GET', '/shop/v1/deals/first?pageSize=101&ids=1&ids=b');
    const { violations } = await rejected(response);
    expect(violations.map(({ location, code }) => [...location, code])).toEqual([
      ['query', 'pageSize', 'maximum'],
      ['query', 'ids', '1', 'type'],
      ['path', 'dealId', 'type'],
    ]);
    expect(violations[2]?.message).toContain('dealId');
  });
});

describe('a body that cannot be read', () => {
  it.each(['{"name": ', 'name=Renewal', '{"name": "a"} {}'])('gets 400: %s', async (body) => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/merge-patch+json']) {
      const response = await call('POST', '/shop/v1/deals', { body, headers: { 'content-type': type } });
      expect(response.status).toBe(400);
      expect((await rejected(response)).violations).toMatchObject([{ location: ['body'], code: 'malformed-json' }]);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])('gets 415: %s', async (type) => {
    const body = '{"name":"Renewal"}';
    const response = await call('POST', '/shop/v1/deals', { body, headers: { 'content-type': type } });
    expect(response.status).toBe(415);
    expect((await rejected(response)).violations).toMatchObject([{ location: ['header', 'Content-Type'] }]);
  });

  // Prism itself does not check the media type of a body that is optional.
  it.each(['text/plain', 'application/x-ndjson', 'application/jsonl', 'application/json-seq'])(
    'gets 415, even if a body is optional: %s',
    async (type) => {
      const sent = { body: '{"text":"Hello"}', headers: { 'content-type': type } };
      const response = await call('POST', '/shop/v1/notes/ann', sent);
      expect(response.status).toBe(415);
      expect((await rejected(response)).violations).toMatchObject([{ location: ['header', 'Content-Type'] }]);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip', (text: string) => Buffer.from(text)],
  ])('gets 415 if it is compressed: %s', async (encoding, compress) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const body = new Blob([new Uint8Array(compress('{"name":"a"}'))]).stream();
    const response = await call('POST', '/shop/v1/deals', { body, headers });
    expect(response.status).toBe(415);
    const { detail, violations } = await rejected(response);
    expect(violations).toMatchObject([{ location: ['header', 'Content-Encoding'], code: 'unsupported-media-type' }]);
    expect(detail).toContain('Send the body uncompressed.');
  });

  it.each(['identity', 'Identity'])('is read with the encoding that means none: %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    expect((await call('POST', '/shop/v1/deals', { json: { name: 'a' }, headers })).status).toBe(201);
  });

  it('is validated even without a known length', async () => {
    const body = new Blob(['name']).stream();
    const response = await call('POST', '/shop/v1/deals', { body, headers: { 'content-type': 'text/plain' } });
    expect(response.status).toBe(415);
  });
});

describe('a body with a large number of violations', () => {
  it('gets the first 20 violations, their number, and a sentence about the first', async () => {
    const json = { name: 'a', contacts: Array.from({ length: 500 }, () => ({ id: 'x' })) };
    const text = await (await call('POST', '/shop/v1/deals', { json })).text();
    const body: Problem & { violationCount: number } = JSON.parse(text);
    expect(body.violations).toHaveLength(20);
    expect(body.violationCount).toBe(500);
    expect(body.detail).toMatch(/^body\.contacts\.0\.id: .* \(and 499 more\)$/);
  });

  it('is shortened before validation, except described fields', async () => {
    const own = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`own${index}`, index]));
    expect((await call('POST', '/shop/v1/deals', { json: { ...own, name: 'a' } })).status).toBe(201);
    const contacts = Array.from({ length: 100_000 }, () => ({ id: 'x' }));
    const body = await (await call('POST', '/shop/v1/deals', { json: { name: 'a', contacts } })).json();
    expect(body).toMatchObject({ violationCount: 2_000 });
  });

  it('is rejected if it is nested too deeply', async () => {
    const body = `{"name":"a","own":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const response = await call('POST', '/shop/v1/deals', { body, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(400);
    expect((await rejected(response)).detail).toContain('100 levels');
  });
});
