import { expect, test, vi } from 'vitest';
import type { ResponseValidator } from '../../../src/client/index.ts';
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

test.each([200, 500])(
  'an error names a content encoding that the platform did not decode, with status %i',
  async (status) => {
    // The beginning of Zstandard data. Node 24 decodes it, so this uses a made-up name.
    const bytes = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x99);
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd-2' };
    const { api } = setUp([], { maxRetries: 0 }, [() => new Response(bytes, { status, headers })]);
    const how =
      status === 200 ? 'succeeded with a body that is not JSON (application/json)' : 'failed with HTTP status 500';
    expect(await failureOf(api.crm.deals.get({ dealId: 501 }))).toMatchObject({
      message: `${call} ${how}; fetch did not decode its content-encoding zstd-2`,
    });
  },
);

test('an error does not blame a content encoding that the platform decoded', async () => {
  const error = await failureWith('<html>Grüße', { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
  expect(error).toHaveProperty('message', `${call} succeeded with a body that is not JSON (text/html)`);
});
