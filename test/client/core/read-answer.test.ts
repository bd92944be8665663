import { expect, test, vi } from 'vitest';
import type { ReplyValidator } from '../../../src/client/index.ts';
import { failureOf } from '../outcomes/support.ts';
import { setUp } from './hooked-client.ts';

const call = 'GET /deals/{dealId} (getDeal)';

/** The failure of a call that is answered with these bytes, which have no type of their own. */
function failureWith(body: string, headers: HeadersInit, validate?: ReplyValidator): Promise<unknown> {
  const bytes = new TextEncoder().encode(body);
  const { api } = setUp([], validate ? { validate } : {}, [() => new Response(bytes, { headers })]);
  return failureOf(api.crm.deals.get({ dealId: 501 }));
}

test.each<[string, string, HeadersInit]>([
  ['with a body that is not JSON (text/html)', '<html>', { 'Content-Type': 'text/html; charset=utf-8' }],
  ['with a body that is not JSON (text/plain)', 'OK', { 'Content-Type': 'text/plain' }],
  ['with a body that is not JSON (no content type)', 'OK', {}],
  ['without the body that is documented', '', {}],
  ['with null instead of the payload that is documented', 'null', {}],
  ['with null instead of the payload that is documented', '{"data": null}', {}],
])('an error says that a call succeeded %s: %j', async (how, body, headers) => {
  const error = await failureWith(body, headers);
  expect(error).toMatchObject({ name: 'ResponseError', status: 200, message: `${call} succeeded ${how}` });
  expect(error).toHaveProperty('body', body);
});

test('an error lists all problems that the validator found', async () => {
  const check = vi.fn(() => ['data.id: not a number', 'data.name: missing']);
  const error = await failureWith('{"data": {"id": "x"}}', {}, { onInvalid: 'throw', check });
  expect(check).toHaveBeenCalledExactlyOnceWith('getDeal', { data: { id: 'x' } });
  expect(error).toMatchObject({
    name: 'ResponseError',
    message: `${call}: the reply does not fit the spec: data.id: not a number; data.name: missing`,
  });
});
