import { expect, test, vi } from 'vitest';
import type { TokenStore } from '../../../src/client/index.ts';
import { failureOf, forms, watchedClient, written } from './outputs.ts';

const clientSecret = 'cl13nt-s3cret-0f-4nn';
const accessToken = 't0ken-0f-4nn-4nd-b0b';
const credentials = { clientId: 'client-id', clientSecret };
const secrets = /cl13nt-s|s3cret-0|t0ken-0f|4nd-b0b/;

const issue = () => Response.json({ access_token: accessToken, expires_in: 60 });
const isToken = (url: string): boolean => url.endsWith('/access_token');

test.each([
  ...Object.entries(forms),
  ['as a password in Base64', (secret: string) => btoa(`client-id:${secret}`)] as const,
])('a client secret that the token endpoint repeats %s is in no output', async (_, write) => {
  const said = write(clientSecret);
  for (const body of [{ message: said }, { error: 'invalid_client', error_description: said }, { error_code: said }]) {
    const fetch = async () => Response.json(body, { status: 401, headers: { 'x-sent': said } });
    const { api, noted } = watchedClient({ auth: credentials, fetch });
    const outputs = written(await failureOf(api.crm.users.list())) + noted.join('\n');
    expect(outputs).toContain('TokenError');
    expect(outputs).not.toMatch(secrets);
    expect(outputs).not.toContain(said);
  }
});

test('a token in an invalid response is in no output', async () => {
  const responses = [
    () => new Response(`{"access_token": "${accessToken}"`),
    () => new Response(`<p>${accessToken}`, { headers: { 'x-token': accessToken } }),
    () => Response.json({ result: false, access_token: accessToken }),
    () => Response.json({ access_token: `${accessToken}\r\n` }),
  ];
  for (const response of responses) {
    const { api, noted } = watchedClient({ auth: credentials, fetch: async () => response() });
    const error = await failureOf(api.crm.users.list());
    const headers = noted.filter((line) => line.includes('x-token')); // A token that was never used is only data.
    expect(error).toMatchObject({ name: 'TokenError' });
    expect(written(error)).not.toMatch(secrets);
    expect(noted.filter((line) => !headers.includes(line)).join('\n')).not.toMatch(secrets);
    expect(error).not.toHaveProperty('cause.body');
  }
});

test('the secret and a fetched token stay out of errors of a custom fetch that keeps all requests', async () => {
  const history: unknown[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    history.push(init);
    if (isToken(url)) return issue();
    throw new Error(`failed after ${JSON.stringify(history)}`);
  };
  const { api, noted } = watchedClient({ auth: credentials, fetch });
  const outputs = written(await failureOf(api.crm.users.list())) + noted.join('\n');
  expect(outputs).toContain('ConnectionError');
  expect(outputs).not.toMatch(secrets);
});

test('a token that was replaced after a 401 stays out of later errors', async () => {
  let count = 0;
  const tokens = ['f1rst-t0ken-0f-4nn', 's3cond-t0ken-0f-4nn'];
  const fetch = async () => {
    count += 1;
    return Response.json({ message: count < 3 ? 'No' : `Neither ${tokens.join(' nor ')}` }, { status: 401 });
  };
  const getToken = ({ forceRefresh }: { forceRefresh: boolean }): string => tokens[forceRefresh ? 1 : 0] ?? '';
  const { api, noted } = watchedClient({ auth: { getToken }, fetch });
  await failureOf(api.crm.users.list());
  const error = await failureOf(api.withOptions({ timeout: 1_000 }).crm.users.list());
  expect(error).toMatchObject({ serviceMessage: 'Neither [redacted] nor [redacted]' });
  expect(written(error) + noted.join('\n')).not.toMatch(/t0ken-0f/);
});

test("neither a token store's error nor its token is in any output", async () => {
  const fail = (): never => {
    throw Object.assign(new Error(`redis://:${clientSecret}@localhost ${accessToken}`), { accessToken });
  };
  vi.useFakeTimers();
  const now = Date.now();
  const stored = { accessToken, issuedAt: now, expiresAt: now + 60_000 };
  const stores: TokenStore[] = [
    { get: fail, set: fail, delete: fail },
    { get: async () => fail(), set: async () => fail(), delete: async () => fail() },
    { get: () => stored, set: fail, delete: fail },
  ];
  for (const tokenStore of stores) {
    const fetch = async (url: string) =>
      isToken(url) ? issue() : Response.json({ message: `Not ${accessToken}` }, { status: 401 });
    const { api, noted } = watchedClient({ auth: { ...credentials, tokenStore }, fetch });
    const failed = failureOf(api.crm.users.list());
    await vi.advanceTimersByTimeAsync(2_000);
    const error = await failed;
    expect(noted.join('\n')).toContain('the token store');
    expect(written(error) + noted.join('\n')).not.toMatch(secrets);
  }
});

test('no output shows the secret of a direct token request', async () => {
  const fetch = async (_: string, { body }: RequestInit) => Response.json({ message: String(body) }, { status: 400 });
  const { api, noted } = watchedClient({ fetch });
  const call = api.crm.oauth.createToken({
    grant_type: 'client_credentials',
    client_id: 'client-id',
    client_secret: clientSecret,
  });
  expect(written(await failureOf(call)) + noted.join('\n')).not.toMatch(secrets);
});

test('hooks see a header that a caller adds, except Authorization', async () => {
  const { api, noted } = watchedClient({
    headers: { authorization: `Basic ${clientSecret}`, 'x-job': 'nightly' },
    fetch: async (_, { headers }) =>
      Response.json({ message: new Headers(headers).get('authorization') }, { status: 400 }),
  });
  const outputs = written(await failureOf(api.crm.users.list())) + noted.join('\n');
  expect(outputs).toContain('nightly');
  expect(outputs).not.toMatch(secrets);
});
