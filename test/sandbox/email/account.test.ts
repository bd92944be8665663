import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { routes } from '../../../src/sandbox/rules/routes.ts';
import { send } from '../raw.ts';
import { expectChoice, expectRule, hour, start, startAt } from '../support.ts';
import { own } from './examples.ts';

test('every operation needs an activated account [email-account-activated]', async () => {
  const { api, sandbox } = start();
  await api.email.messages.send(own);
  sandbox.state.email.settings.set('activated', false);
  const { body } = await expectRule(api.email.messages.send(own), 'email-account-activated', 403);
  expect(body).toEqual({ message: 'The SMTP account is not activated.' });
  const bodies: Record<string, unknown> = {
    sendEmailMessage: { email: own },
    getManyEmailMessages: { emails: [] },
    requestEmailResubscription: { email: 'ben.ito@example.com', sender: 'sales@example.com' },
    createSenderAddress: { email: 'tom@example.com', name: 'Tom' },
  };
  for (const { id, method, path } of routes.email) {
    const response = await send(sandbox, `${method} ${path.replace(/\{\w+\}/, 'x')}`, { body: bodies[id] });
    expect(response.status, id).toBe(403);
    expect(response.headers.get('x-sandbox-rule'), id).toContain(
      'email-account-activated; Email document, introduction',
    );
  }
});

test('bodies are JSON in both directions [email-json-bodies]', async () => {
  const { sandbox } = start();
  const good = await send(sandbox, 'POST /smtp/emails/info', { body: { emails: ['msg-2026-0001'] } });
  expect(good.headers.get('content-type')).toBe('application/json');
  expect(await good.json()).toHaveLength(1);
  const bad = await send(sandbox, 'POST /smtp/emails/info', { body: 'emails=msg-2026-0001' });
  expect([bad.status, bad.headers.get('x-sandbox-choice')]).toEqual([400, 'malformed-json']);
});

test('accepts only a static key or an issued token [email-bearer-credential]', async () => {
  const sandbox = createSandbox({ startAt, apiKeys: ['static-key'] });
  sandbox.clock.freeze();
  const client = (apiKey: string) =>
    createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey }, fetch: sandbox.fetch, maxRetries: 0 });
  expect(await client('static-key').email.ips.list()).toEqual(['192.0.2.10']);
  const { access_token } = await client('static-key').crm.oauth.createToken({
    grant_type: 'client_credentials',
    client_id: 'shop',
    client_secret: 'secret',
  });
  expect(await client(access_token).email.ips.list()).toEqual(['192.0.2.10']);
  await expectChoice(client('other-key').email.ips.list(), 'credential-rejected', 401);
  expect((await send(sandbox, 'GET /smtp/ips', { token: null })).status).toBe(401);
  sandbox.clock.advance(hour);
  await expectChoice(client(access_token).email.ips.list(), 'credential-rejected', 401);
});
