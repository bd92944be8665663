import { expect, test, vi } from 'vitest';
import { unwrap } from '../../../src/client/core/read.ts';
import type { ResponseValidator } from '../../../src/client/index.ts';
import type { OperationRecord } from '../../../src/shared/operation.ts';
import { failureOf } from '../outcomes/support.ts';
import { setUp } from './hooked-client.ts';

const call = 'GET /deals/{dealId} (getDeal)';

/** The failure of a call that is answered with these bytes, which have no type of their own. */
function failureWith(body: string, headers: HeadersInit, validate?: ResponseValidator): Promise<unknown> {
  const bytes = new TextEncoder().encode(body);
  const { api } = setUp([], validate ? { validate } : {}, [() => new Response(bytes, { headers })]);
  return failureOf(api.crm.deals.get({ dealId: 501 }));
}

test.each<[string, string, HeadersInit]>([
  ['its body is not JSON (text/html)', '<html>', { 'Content-Type': 'text/html; charset=utf-8' }],
  ['its body is not JSON (text/plain)', 'OK', { 'Content-Type': 'text/plain' }],
  ['its body is not JSON (no content type)', 'OK', {}],
  ['without the documented body', '', {}],
  ['with null in place of the documented payload', 'null', {}],
  ['with null in place of the documented payload', '{"data": null}', {}],
])('an error says what a response with status 200 lacks: %s: %j', async (how, body, headers) => {
  const error = await failureWith(body, headers);
  expect(error).toMatchObject({
    name: 'ResponseError',
    status: 200,
    message: `${call} returned status 200, but ${how}`,
  });
  expect(error).toHaveProperty('body', body);
});

test('an error lists all problems that the validator found', async () => {
  const check = vi.fn(() => ['data.id: not a number', 'data.name: missing']);
  const error = await failureWith('{"data": {"id": "x"}}', {}, { onInvalid: 'throw', check });
  expect(check).toHaveBeenCalledExactlyOnceWith('getDeal', { data: { id: 'x' } });
  expect(error).toMatchObject({
    name: 'ResponseError',
    message: `${call}: the response does not match the spec: data.id: not a number; data.name: missing`,
  });
});

test.each([200, 500])(
  'an error names a content encoding that the platform did not decode, with status %i',
  async (status) => {
    // The beginning of Zstandard data. Node 24 decodes it, so this uses a made-up name.
    const bytes = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x99);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd-2' };
    const { api } = setUp([], { maxRetries: 0 }, [() => new Response(bytes, { status, headers })]);
    const how =
      status === 200
        ? 'returned status 200, but its body is not JSON (application/json)'
        : 'failed with HTTP status 500';
    expect(await failureOf(api.crm.deals.get({ dealId: 501 }))).toMatchObject({
      message: `${call} ${how}; fetch did not decode the body, whose Content-Encoding is zstd-2`,
    });
  },
);

test('an error does not blame a content encoding that the platform decoded', async () => {
  const error = await failureWith('<html>Grüße', { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
  expect(error).toHaveProperty('message', `${call} returned status 200, but its body is not JSON (text/html)`);
});

const operation = (data: Partial<OperationRecord> = {}): OperationRecord => ({
  id: 'test',
  method: 'things.get',
  ...data,
});
const data = operation({ payload: 'data' });

test.each<[string, OperationRecord, unknown, unknown, unknown]>([
  ['{data: X} gives X', data, { data: { id: 1 } }, { id: 1 }, undefined],
  [
    '{data, meta} lifts the members of meta',
    data,
    { data: [1], meta: { total: 9, searchRequest: 's' } },
    [1],
    { total: 9, searchRequest: 's' },
  ],
  ['{data, total} gives total as meta', data, { data: [1], total: 9 }, [1], { total: 9 }],
  [
    '{data: {list, total}} gives the list',
    operation({ payload: 'data.list' }),
    { data: { list: [1], total: 9, searchRequest: 's' } },
    [1],
    { total: 9, searchRequest: 's' },
  ],
  [
    '{data: {result, data}} gives the inner data',
    operation({ payload: 'data.data' }),
    { data: { result: true, data: [1] } },
    [1],
    { result: true },
  ],
  ['{result, data} gives data', data, { result: true, data: { task_id: 1 } }, { task_id: 1 }, { result: true }],
  [
    '{data: {result, error}} stays whole',
    data,
    { data: { result: true, error: null } },
    { result: true, error: null },
    undefined,
  ],
  ['a bare array stays', operation(), [1, 2], [1, 2], undefined],
  ['{total} stays', operation(), { total: 3 }, { total: 3 }, undefined],
  ['{result, id} stays', operation(), { result: true, id: 'x' }, { result: true, id: 'x' }, undefined],
  ['null as payload stays null', data, { data: null }, null, undefined],
  ['an empty body gives nothing', data, undefined, undefined, undefined],
  ['a body is ignored if none is documented', operation({ empty: true }), { data: 1 }, undefined, undefined],
  [
    'one record becomes a list of one where a list is inferred',
    operation({ payload: 'data[]' }),
    { data: { id: 1 } },
    [{ id: 1 }],
    undefined,
  ],
  [
    'a list stays a list where a list is inferred',
    operation({ payload: 'data[]' }),
    { data: [{ id: 1 }] },
    [{ id: 1 }],
    undefined,
  ],
])('%s', (_, described, body, expected, meta) => {
  expect(unwrap(body, described)).toEqual({ data: expected, meta });
});

test('keeps a field named meta that is no record, and adds none', () => {
  expect(unwrap({ data: [1], meta: 'page 1', total: 9 }, data).meta).toStrictEqual({ meta: 'page 1', total: 9 });
  expect(unwrap({ data: [1], meta: null }, data).meta).toStrictEqual({ meta: null });
  expect(unwrap({ data: [1], total: 9 }, data).meta).toStrictEqual({ total: 9 });
});

test('returns a body without the documented key unchanged, and names the key', () => {
  expect(unwrap({ items: [] }, data)).toEqual({ data: { items: [] }, meta: undefined, missing: 'data' });
  expect(unwrap({ data: { items: [] } }, operation({ payload: 'data.list' })).missing).toBe('list');
  expect(unwrap([1], data)).toEqual({ data: [1], meta: undefined, missing: 'data' });
});

test('a response with __proto__ does not pollute prototypes', () => {
  const body: unknown = JSON.parse(
    '{"data": {"list": [], "__proto__": {"polluted": true}}, "__proto__": {"polluted": true}}',
  );
  const { meta } = unwrap(body, operation({ payload: 'data.list' }));
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Object.getPrototypeOf(meta)).toBe(Object.prototype);
});

test('ignores inherited members of a payload', () => {
  expect(unwrap({}, operation({ payload: 'data' })).missing).toBe('data');
});
