import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { send } from './raw.ts';
import { hour, start } from './support.ts';

const users = 'GET /crm/v1/users';
const credentials = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'hush' };

async function issue(sandbox: ReturnType<typeof createSandbox>): Promise<string> {
  const response = await send(sandbox, 'POST /oauth/access_token', { token: null, body: credentials });
  const { access_token: token }: { access_token: string } = await response.json();
  return token;
}

test('accepts any bearer token without keys, and never answers 401', async () => {
  const { sandbox } = start();
  expect((await send(sandbox, users, { token: 'whatever' })).status).toBe(200);
  const rejected = await send(sandbox, users, { token: null });
  expect(rejected.status).toBe(401);
  expect(rejected.headers.get('x-sandbox-choice')).toBe('credential-rejected');
  expect(sandbox.requests.at(-1)).toMatchObject({ status: 401, choices: ['credential-rejected'] });
});

test('with keys, accepts only those and its own tokens', async () => {
  const { sandbox } = start({ apiKeys: ['first', 'second'] });
  const issued = await issue(sandbox);
  for (const token of ['first', 'second', issued]) expect((await send(sandbox, users, { token })).status).toBe(200);
  for (const token of ['third', 'any']) expect((await send(sandbox, users, { token })).status).toBe(401);
});

test('limits an account to five keys', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  createSandbox({ apiKeys: keys });
  expect(() => createSandbox({ apiKeys: [...keys, 'f'] })).toThrow(RangeError);
});

test("expires an issued token after an hour of the sandbox's clock", async () => {
  const { sandbox } = start();
  const token = await issue(sandbox);
  sandbox.clock.advance(hour - 1);
  expect((await send(sandbox, users, { token })).status).toBe(200);
  sandbox.clock.advance(1);
  expect((await send(sandbox, users, { token })).status).toBe(401);
});

test('other sandboxes reject an issued token', async () => {
  const { sandbox } = start();
  const token = await issue(sandbox);
  expect((await send(start().sandbox, users, { token })).status).toBe(401);
});
