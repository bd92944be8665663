import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { expectChoice, expectRule, hour, start, startAt } from '../support.ts';

const address = 'https://sandbox.example.com';

/** Requests a token without the project's client. */
async function token(sandbox: Sandbox, body: object): Promise<Response> {
  return sandbox.fetch(`${address}/oauth/access_token`, { method: 'POST', body: JSON.stringify(body) });
}

/** Lists team members with a custom Authorization header. */
async function users(sandbox: Sandbox, authorization?: string): Promise<Response> {
  return sandbox.fetch(`${address}/crm/v1/users`, authorization === undefined ? {} : { headers: { authorization } });
}

function frozen(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({ startAt, ...options });
  sandbox.clock.freeze(startAt);
  return sandbox;
}

const credentials = { grant_type: 'client_credentials', client_id: 'one', client_secret: 'two' } as const;

describe('team members', () => {
  test('lists only active members who were invited [users-active-invited-only]', async () => {
    const { sandbox, api } = start();
    expect(await api.crm.users.list()).toMatchObject([{ id: 77 }, { id: 78 }]);
    sandbox.state.crm.users.set(81, { record: { id: 81 }, isActive: true, isInvited: true });
    expect([...sandbox.state.crm.users.keys()]).toEqual([77, 78, 79, 80, 81]);
    expect(await api.crm.users.list()).toMatchObject([{ id: 77 }, { id: 78 }, { id: 81 }]);
  });

  test('a listed member can be made responsible, others cannot [users-are-assignable]', async () => {
    const { api } = start();
    const place = { pipelineId: 1, stepId: 11 };
    expect(await api.crm.deals.create({ ...place, responsibleId: 78 })).toMatchObject({ responsibleId: 78 });
    for (const responsibleId of [79, 80, 4]) {
      await expectRule(api.crm.deals.create({ ...place, responsibleId }), 'users-are-assignable');
    }
    const update = { ...place, dealId: 501, status: 1, name: 'Renewal', price: 1 } as const;
    await expectRule(api.crm.deals.update({ ...update, responsibleId: 79 }), 'users-are-assignable');
    expect(await api.crm.deals.update({ ...update, responsibleId: 78 })).toMatchObject({ responsibleId: 78 });
    expect(await api.crm.deals.create({ ...place, responsibleId: 0 })).not.toHaveProperty('responsibleId');
  });
});

describe('authorization', () => {
  test('a request needs a bearer token, either a static key or an issued one [crm-bearer-on-every-request]', async () => {
    const sandbox = frozen({ apiKeys: ['key'] });
    expect((await users(sandbox)).status).toBe(401);
    expect((await users(sandbox, 'Basic key')).status).toBe(401);
    expect((await users(sandbox, 'Bearer other')).headers.get('x-sandbox-choice')).toBe('credential-rejected');
    expect((await users(sandbox, 'Bearer key')).status).toBe(200);
    const issued = await (await token(sandbox, credentials)).json();
    expect((await users(sandbox, `Bearer ${issued.access_token}`)).status).toBe(200);
  });

  test('an account has at most five static keys, which are all accepted [crm-static-api-keys]', async () => {
    const apiKeys = ['one', 'two', 'three', 'four', 'five'];
    const sandbox = frozen({ apiKeys });
    for (const key of apiKeys) expect((await users(sandbox, `Bearer ${key}`)).status).toBe(200);
    sandbox.clock.advance(1000 * hour);
    expect((await users(sandbox, 'Bearer one')).status).toBe(200);
    expect((await users(sandbox, 'Bearer six')).status).toBe(401);
    expect(() => createSandbox({ apiKeys: [...apiKeys, 'six'] })).toThrow(/^apiKeys must be a list of at most 5 /);
  });
});

describe('tokens', () => {
  test('a token lasts one hour [oauth-token-lifetime]', async () => {
    const sandbox = frozen();
    const { access_token, expires_in } = await (await token(sandbox, credentials)).json();
    expect(expires_in).toBe(3600);
    sandbox.clock.advance(hour - 1);
    expect((await users(sandbox, `Bearer ${access_token}`)).status).toBe(200);
    sandbox.clock.advance(1);
    expect((await users(sandbox, `Bearer ${access_token}`)).status).toBe(401);
  });

  test('the token is at the top of the response [oauth-token-outside-data]', async () => {
    const { api } = start();
    const response = await api.crm.oauth.createToken(credentials);
    expect(response).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const raw = await (await token(frozen(), credentials)).json();
    expect(Object.keys(raw)).toEqual(['access_token', 'token_type', 'expires_in']);
  });

  test('each token is unique', async () => {
    const sandbox = frozen();
    const [one, other] = await Promise.all([token(sandbox, credentials), token(sandbox, credentials)]);
    expect((await one.json()).access_token).not.toBe((await other.json()).access_token);
  });

  test('client credentials must be complete and known to the sandbox', async () => {
    const { api } = start({ clients: [{ clientId: 'one', clientSecret: 'two' }] });
    const right = { grant_type: 'client_credentials', client_id: 'one', client_secret: 'two' } as const;
    await expectChoice(api.crm.oauth.createToken({ ...right, client_secret: 'x' }), 'client-rejected', 401);
    await expectChoice(api.crm.oauth.createToken({ client_id: 'one' }), 'token-request-incomplete');
    expect(await api.crm.oauth.createToken(right)).toMatchObject({ token_type: 'Bearer' });
  });

  test('a client with credentials requests a token and works with it', async () => {
    const sandbox = frozen({ apiKeys: [] });
    const api = createClient({
      baseUrl: address,
      auth: { clientId: 'one', clientSecret: 'two' },
      fetch: sandbox.fetch,
    });
    expect(await api.crm.pipelines.get({ pipelineId: 1 })).toMatchObject({ name: 'Renewals' });
    sandbox.clock.advance(2 * hour);
    expect(await api.crm.pipelines.get({ pipelineId: 2 })).toMatchObject({ name: 'Onboarding' });
    expect(sandbox.log.list({ operation: 'createToken' }).length).toBe(2);
  });
});
