import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
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

test.each<[string, SandboxOptions]>([
  ['maxWorlds must be a whole number above 0', { maxWorlds: 0 }],
  ['worldsExpireAfter must be a number of milliseconds above 0', { worldsExpireAfter: -1 }],
])('a limit that cannot hold is invalid: %s', (message, options) => {
  expect(() => createSandbox({ worlds: 'credential', ...options })).toThrow(new RangeError(message));
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

test('each OAuth client has its own world, shared by its tokens', async () => {
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

test('a rejected credential creates no world', async () => {
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

const change = (sandbox: Sandbox, token: string) => send(sandbox, 'DELETE /crm/v1/deals/501', { token });

test('the number of worlds is limited, and a deleted one makes room', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: true, maxWorlds: 2 });
  for (const token of ['a', 'b']) expect((await change(sandbox, token)).status).toBe(204);
  const rejected = await change(sandbox, 'c');
  expect([rejected.status, rejected.headers.get('x-sandbox-choice')]).toEqual([429, 'too-many-worlds']);
  expect(await hasDeal(sandbox, 'a')).toBe(false);
  expect(() => sandbox.world('other')).toThrow(
    new RangeError("There are already 2 worlds. Delete a world, or permit more worlds with the option 'maxWorlds'."),
  );
  await send(sandbox, `DELETE /__sandbox/worlds/${sandbox.worldNames()[1]}`, { token: 'a' });
  expect((await change(sandbox, 'c')).status).toBe(204);
  expect(await hasDeal(sandbox, 'c')).toBe(false);
});

test('changes in worlds, even concurrent ones, do not affect the initial data of others', async () => {
  const sandbox = createSandbox({ worlds: 'credential' });
  await hasDeal(sandbox, 'ben');
  const body = { pipelineId: 1, stepId: 11, name: 'Mine' };
  const responses = await Promise.all([1, 2, 3].map(() => send(sandbox, 'POST /crm/v1/deals', { token: 'ann', body })));
  expect(new Set(await Promise.all(responses.map(async (response) => (await response.json()).data.id))).size).toBe(3);
  const count = async (token: string) =>
    (await (await send(sandbox, 'POST /crm/v1/deals/get-list', { token, body: {} })).json()).data.length;
  expect([await count('ann'), await count('ben'), await count('new')]).toEqual([4, 1, 1]);
});

test('a world can be deleted with its own key or the control token, and starts again', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: { token: 'sesame' } });
  for (const token of ['ann', 'ben']) await change(sandbox, token);
  const [, ann = '', ben = ''] = sandbox.worldNames();
  // A request from another machine.
  const remove = (name: string, token: string) =>
    sandbox.fetch(`${origin}/__sandbox/worlds/${name}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, host: 'sandbox:4012' },
    });
  expect((await remove(ann, 'ben')).status).toBe(403);
  expect((await remove(ann, 'ann')).status).toBe(204);
  expect((await remove(ben, 'sesame')).status).toBe(204);
  expect((await remove(ben, 'sesame')).status).toBe(404);
  expect([sandbox.worldNames(), await hasDeal(sandbox, 'ann')]).toEqual([[''], true]);
});

test('a key controls only its own world; naming another needs the control token', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: { token: 'sesame' } });
  for (const token of ['ann', 'ben']) await change(sandbox, token);
  const [, ann = ''] = sandbox.worldNames();
  const call = (path: string, headers: Record<string, string>) =>
    sandbox.fetch(`${origin}/__sandbox/${path}`, { headers: { host: 'sandbox:4012', ...headers } });
  const [asBen, asAdmin] = [{ authorization: 'Bearer ben' }, { authorization: 'Bearer sesame' }];
  const named = { 'x-sandbox-world': ann };
  expect((await call('state', asBen)).status).toBe(200);
  expect((await call('state', { ...asBen, ...named })).status).toBe(401);
  expect((await call('state', { ...asAdmin, ...named })).status).toBe(200);
  expect(await (await call('worlds', asBen)).json()).toHaveLength(1);
  expect(await (await call('worlds', asAdmin)).json()).toHaveLength(3);
  expect((await call('state', {})).status).toBe(401);
});

test('deletes worlds that are unused for the given time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const sandbox = createSandbox({ worlds: 'credential', worldsExpireAfter: hour });
  for (const token of ['ann', 'ben']) await change(sandbox, token);
  vi.setSystemTime(Date.now() + 0.7 * hour);
  await hasDeal(sandbox, 'ann');
  vi.setSystemTime(Date.now() + 0.7 * hour);
  expect(await hasDeal(sandbox, 'ann')).toBe(false);
  expect(sandbox.worldNames()).toHaveLength(2);
  expect(await hasDeal(sandbox, 'ben')).toBe(true);
});

test('a world has at most 50 snapshots, also if they are taken at once', async () => {
  const sandbox = createSandbox({ control: true });
  const take = (name: string) => send(sandbox, `PUT /__sandbox/snapshots/${name}`);
  const responses = await Promise.all(Array.from({ length: 60 }, (_, index) => take(`at-once-${index}`)));
  expect(responses.filter(({ status }) => status === 204)).toHaveLength(50);
  const names = await (await send(sandbox, 'GET /__sandbox/snapshots')).json();
  expect(names).toHaveLength(50);
  expect((await take(names[0])).status).toBe(204);
  await send(sandbox, `DELETE /__sandbox/snapshots/${names[0]}`);
  expect([(await take('another')).status, (await take('one-more')).status]).toEqual([204, 400]);
});

test('a header that names a world has at most 100 characters', async () => {
  const sandbox = createSandbox({ worlds: { header: 'x-world' } });
  const call = (world: string) =>
    sandbox.fetch(`${origin}/crm/v1/users`, { headers: { authorization: 'Bearer any', 'x-world': world } });
  expect((await call('x'.repeat(100))).status).toBe(200);
  const rejected = await call('x'.repeat(101));
  expect([rejected.status, rejected.headers.get('x-sandbox-choice')]).toEqual([400, 'world-name']);
});

test.each([0, -1, 1.5, Number.NaN])('maxWorlds must be a whole number above 0: %d', (maxWorlds) => {
  expect(() => createSandbox({ maxWorlds })).toThrow(RangeError);
});

test('control requests with a control token belong to the default world', async () => {
  const sandbox = createSandbox({ worlds: 'credential', control: { token: 'sesame' } });
  await send(sandbox, 'GET /__sandbox/clock', { token: 'sesame' });
  expect(sandbox.worldNames()).toEqual(['']);
});
