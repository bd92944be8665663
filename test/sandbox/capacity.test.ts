import { beforeEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { Capacity } from '../../src/sandbox/world/capacity.ts';
import { deal, send } from './raw.ts';

/** Room for several worlds of the example story, each of which has 56 records. */
const most = 250;

beforeEach(() => {
  const spy = vi.spyOn(Capacity.prototype, 'most', 'get').mockReturnValue(most);
  return () => spy.mockRestore();
});

const options = { worlds: 'credential', control: true } as const;
const [ann, ben] = [{ token: 'ann' }, { token: 'ben' }];
type Sandbox = ReturnType<typeof createSandbox>;

async function outcome(sandbox: Sandbox, request: string, given: object = ann): Promise<[number, string | null]> {
  const response = await send(sandbox, request, given);
  return [response.status, response.headers.get('x-sandbox-choice')];
}

/** Creates deals until one is rejected. */
async function fill(sandbox: Sandbox): Promise<void> {
  let status = 200;
  for (let count = 0; status === 200 && count < 500; count += 1)
    [status] = await outcome(sandbox, 'POST /crm/v1/deals', { ...ann, body: deal });
}

const full = [507, 'too-many-records'];

test('all worlds share the room for records, and a removal makes room', async () => {
  const sandbox = createSandbox(options);
  await fill(sandbox);
  expect(await outcome(sandbox, 'POST /crm/v1/deals', { ...ben, body: deal })).toEqual(full);
  expect((await outcome(sandbox, 'DELETE /crm/v1/deals/501'))[0]).toBe(204);
  expect((await outcome(sandbox, 'POST /crm/v1/deals', { ...ann, body: deal }))[0]).toBe(200);
  expect((await outcome(sandbox, 'POST /__sandbox/reset'))[0]).toBe(204);
  expect((await outcome(sandbox, 'POST /crm/v1/deals', { ...ann, body: deal }))[0]).toBe(200);
});

test('rejects a reset, a scenario and fixtures beyond the limit, which change nothing', async () => {
  const sandbox = createSandbox(options);
  await outcome(sandbox, 'DELETE /crm/v1/deals/501');
  const tags = Array.from({ length: most }, (_, id) => ({ id: id + 100, name: `Tag ${id}` }));
  const state = { crm: { tags } };
  const count = async () => (await (await send(sandbox, 'GET /__sandbox/tables', ann)).text()).length;
  const before = await count();
  for (const [request, body] of [
    ['POST /__sandbox/reset', { seed: most }],
    ['POST /__sandbox/scenario', { scenario: 'large' }],
    ['PUT /__sandbox/state', { state }],
  ] as const)
    expect([request, ...(await outcome(sandbox, request, { ...ann, body }))]).toEqual([request, ...full]);
  expect(await count()).toBe(before);
});

test('snapshots count until they are deleted, or their world is', async () => {
  const sandbox = createSandbox(options);
  const taken = (name: string) => outcome(sandbox, `PUT /__sandbox/snapshots/${name}`);
  let last = await taken('0');
  for (let count = 1; last[0] === 204 && count < 20; count += 1) last = await taken(String(count));
  expect(last).toEqual(full);
  expect((await taken('0'))[0]).toBe(204);
  await outcome(sandbox, 'DELETE /__sandbox/snapshots/0');
  expect((await taken('again'))[0]).toBe(204);
  const [, name] = sandbox.worldNames();
  expect((await outcome(sandbox, `DELETE /__sandbox/worlds/${name}`))[0]).toBe(204);
  expect((await taken('0'))[0]).toBe(204);
});

test('a world without room is rejected, and a deleted one makes room', async () => {
  const sandbox = createSandbox(options);
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1)
    statuses.push((await outcome(sandbox, 'GET /crm/v1/users', { token: `key${count}` }))[0]);
  expect([statuses[0], statuses[9]]).toEqual([200, 507]);
  await outcome(sandbox, `DELETE /__sandbox/worlds/${sandbox.worldNames()[1]}`, { token: 'key0' });
  expect((await outcome(sandbox, 'GET /crm/v1/users', { token: 'key9' }))[0]).toBe(200);
});
