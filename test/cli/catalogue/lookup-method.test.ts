import { expect, test } from 'vitest';
import { findMethod } from '../../../src/cli/catalogue/index.ts';
import { mayBeDone } from '../../../src/cli/catalogue/lookup-method.ts';
import { createClient } from '../../../src/client/client.ts';
import { CarillonError } from '../../../src/client/core/errors/base.ts';

const lost = (): never => {
  throw new TypeError('socket hang up');
};
const responses: Record<string, () => Response> = {
  'a lost response': lost,
  'status 500': () => Response.json({}, { status: 500 }),
  'a page of a login': () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
  'a response that is too long': () => Response.json({}, { headers: { 'content-length': '100000' } }),
  'status 422': () => Response.json({ message: 'wrong' }, { status: 422 }),
};

test.each([
  ['a lost response', 'crm.tags.create', true],
  ['status 500', 'crm.tags.create', true],
  ['a page of a login', 'crm.tags.create', true],
  ['a response that is too long', 'crm.tags.create', true],
  ['status 422', 'crm.tags.create', false],
  ['a lost response', 'crm.tags.list', false],
  ['status 500', 'crm.tags.list', false],
  ['a page of a login', 'crm.tags.list', false],
])('after %s, a person looks before %s is repeated: %s', async (response, name, looks) => {
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'any' },
    maxRetries: 0,
    maxResponseBytes: 10_000,
    fetch: async () => responses[response]?.() ?? lost(),
  });
  const call = name === 'crm.tags.list' ? api.crm.tags.list() : api.crm.tags.create({ name: 'vip' });
  const error: unknown = await call.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  const method = findMethod(name);
  if (!method || !(error instanceof CarillonError)) return expect.unreachable();
  expect(mayBeDone(method, error)).toBe(looks);
});
