import { expect, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createResponseValidator } from '../../src/client/validate.ts';

const client = (body: unknown, onInvalid?: 'report' | 'throw') => {
  const warn = vi.fn();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async () => Response.json(body),
    logger: { warn },
    validate: createResponseValidator({ ...(onInvalid && { onInvalid }) }),
  });
  return { api, warn };
};
const drifted = { data: [{ id: 'not-a-number-s3cret' }] };

test('returns a valid response unchanged and without a warning', async () => {
  const { api, warn } = client({ data: [{ id: 77, unknown: 'kept' }] });
  expect(await api.crm.users.list()).toEqual([{ id: 77, unknown: 'kept' }]);
  expect(warn).not.toHaveBeenCalled();
});

test('reports a drifted response with the place but no values, and returns it', async () => {
  const { api, warn } = client(drifted);
  expect(await api.crm.users.list()).toEqual(drifted.data);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringMatching(/GET \/users \(listUsers\): the response does not match the spec: data\.0\.id: /),
      { operationId: 'listUsers', status: 200 },
    ],
  ]);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('s3cret');
});

test('throws a ResponseError only on request', async () => {
  const { api } = client(drifted, 'throw');
  await expect(api.crm.users.list()).rejects.toMatchObject({ name: 'ResponseError', operationId: 'listUsers' });
});

test('shortens a long list of problems', async () => {
  const { api, warn } = client({ data: Array.from({ length: 1000 }, () => ({})) });
  await api.crm.users.list();
  expect(String(warn.mock.calls[0]).length).toBeLessThan(1000);
});

test.each([
  ['missing', {}],
  ['null', { id: null }],
])('says of a listed field that is %s that its presence is assumed, because no document states it', async (_, user) => {
  const { api, warn } = client({ data: [user] });
  await api.crm.users.list();
  expect(String(warn.mock.calls[0])).toMatch(
    /data\.0\.id: .*\(not documented: the client assumes that every response has the field/,
  );
});

test('says of a field with another type only that it does not fit, because its type is documented', async () => {
  const { api, warn } = client(drifted);
  await api.crm.users.list();
  expect(String(warn.mock.calls[0])).not.toContain('not documented');
});
