import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { origin, send } from './raw.ts';
import { hour, start, startAt } from './support.ts';

async function hasDeal(sandbox: Sandbox, token: string): Promise<boolean> {
  return (await send(sandbox, 'GET /crm/v1/deals/501', { token })).ok;
}

test('all credentials share one world by default', async () => {
  const { sandbox } = start();
  await send(sandbox, 'DELETE /crm/v1/deals/501', { token: 'ann' });
  expect(await hasDeal(sandbox, 'ben')).toBe(false);
  expect(sandbox.worldNames()).toEqual(['']);
});

test('each API key has its own data, clock, faults and log', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: true, startAt });
  await send(sandbox, 'DELETE /crm/v1/deals/501', { token: 'ann' });
  expect([await hasDeal(sandbox, 'ann'), await hasDeal(sandbox, 'ben')]).toEqual([false, true]);
  await send(sandbox, 'POST /__sandbox/faults', { token: 'ann', body: { status: 503 } });
  expect(await hasDeal(sandbox, 'ben')).toBe(true);
  await send(sandbox, 'POST /__sandbox/clock/freeze', { token: 'ann', body: { at: startAt + hour } });
  const log = async (token: string) => (await send(sandbox, 'GET /__sandbox/requests', { token })).json();
  expect([(await log('ann')).length, (await log('ben')).length]).toEqual([2, 2]);
  await send(sandbox, 'POST /__sandbox/reset', { token: 'ben' });
  expect([(await log('ann')).length, (await log('ben')).length]).toEqual([2, 0]);
  expect(sandbox.worldNames().join()).not.toMatch(/ann|ben/);
});

test('each OAuth client has its own world, which its tokens belong to', async () => {
  const sandbox = createSandbox({ worlds: 'credential' });
  const token = async (client_id: string): Promise<string> => {
    const body = { grant_type: 'client_credentials', client_id, client_secret: 's' };
    return (await (await send(sandbox, 'POST /oauth/access_token', { body, token: null })).json()).access_token;
  };
  const [one, other, again] = [await token('one'), await token('other'), await token('one')];
  await send(sandbox, 'DELETE /crm/v1/deals/501', { token: one });
  expect([await hasDeal(sandbox, again), await hasDeal(sandbox, other)]).toEqual([false, true]);
  expect(sandbox.worldNames()).toHaveLength(3);
});

test('a credential that is refused creates no world', async () => {
  const sandbox = createSandbox({ worlds: 'credential', apiKeys: ['good'], clients: [] });
  for (const token of ['bad', 'sandbox-token-invented', null]) await send(sandbox, 'GET /crm/v1/users', { token });
  const body = { grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' };
  await send(sandbox, 'POST /oauth/access_token', { body, token: null });
  expect(sandbox.worldNames()).toEqual(['']);
});

test('a header can name the world', async () => {
  const sandbox = createSandbox({ worlds: { header: 'X-Worker' } });
  const call = (method: string, worker?: string) =>
    sandbox.fetch(`${origin}/crm/v1/deals/501`, {
      method,
      headers: { authorization: 'Bearer any', ...(worker && { 'x-worker': worker }) },
    });
  await call('DELETE', '1');
  expect([(await call('GET', '1')).status, (await call('GET', '2')).status]).toEqual([404, 200]);
  expect((await call('GET')).status).toBe(200);
  expect(sandbox.worldNames()).toEqual(['', '1', '2']);
  expect(sandbox.world('1').state.crm.deals.size).toBe(0);
});

test('the number of worlds is limited', async () => {
  const sandbox = createSandbox({ worlds: 'credential', maxWorlds: 3 });
  for (const token of ['a', 'b']) await send(sandbox, 'GET /crm/v1/users', { token });
  const refused = await send(sandbox, 'GET /crm/v1/users', { token: 'c' });
  expect([refused.status, refused.headers.get('x-sandbox-choice')]).toEqual([429, 'too-many-worlds']);
  expect((await send(sandbox, 'GET /crm/v1/users', { token: 'a' })).status).toBe(200);
  expect(() => sandbox.world('other')).toThrow(RangeError);
});

test.each([0, -1, 1.5, Number.NaN])('maxWorlds must be a whole number above 0: %d', (maxWorlds) => {
  expect(() => createSandbox({ maxWorlds })).toThrow(RangeError);
});

test('control requests with a control token name the world by its key', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: { token: 'sesame' } });
  await send(sandbox, 'DELETE /crm/v1/deals/501', { token: 'ann' });
  const headers = { authorization: 'Bearer sesame', 'x-sandbox-key': 'ann' };
  await sandbox.fetch(`${origin}/__sandbox/reset`, { method: 'POST', headers });
  expect(await hasDeal(sandbox, 'ann')).toBe(true);
  await send(sandbox, 'GET /__sandbox/clock', { token: 'sesame' });
  expect(sandbox.worldNames()).toHaveLength(2);
});
