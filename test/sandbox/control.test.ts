import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { deal, origin, send } from './raw.ts';
import { hour, start, startAt } from './support.ts';

const control = (options = {}) => start({ control: true, ...options });

test('HTTP control is off by default', async () => {
  const { sandbox } = start();
  await send(sandbox, 'DELETE /crm/v1/deals/501');
  const response = await send(sandbox, 'POST /__sandbox/reset');
  expect(response.status).toBe(404);
  expect(sandbox.state.crm.deals.has(501)).toBe(false);
});

test('needs no credential, and stays out of the log', async () => {
  const { sandbox } = control({ apiKeys: ['key'] });
  expect((await send(sandbox, 'GET /__sandbox/clock', { token: null })).status).toBe(200);
  expect(sandbox.requests).toEqual([]);
});

test('resets with the same data set or another', async () => {
  const { sandbox } = control();
  const contacts = sandbox.state.crm.contacts.size;
  await send(sandbox, 'DELETE /crm/v1/deals/501');
  expect((await send(sandbox, 'POST /__sandbox/reset')).status).toBe(204);
  expect(sandbox.state.crm.deals.has(501)).toBe(true);
  await send(sandbox, 'POST /__sandbox/reset', { body: { seed: 1000 } });
  expect(sandbox.state.crm.contacts.size).toBe(contacts + 1000);
});

test('reads, advances, freezes and resumes the clock', async () => {
  const { sandbox } = control();
  const now = async (request: string, body?: object) => (await send(sandbox, request, { body })).json();
  expect(await now('GET /__sandbox/clock')).toEqual({ now: startAt, isFrozen: true });
  expect(await now('POST /__sandbox/clock/advance', { milliseconds: hour })).toEqual({
    now: startAt + hour,
    isFrozen: true,
  });
  expect(await now('POST /__sandbox/clock/freeze', { at: startAt + 3 * hour })).toEqual({
    now: startAt + 3 * hour,
    isFrozen: true,
  });
  expect(await now('POST /__sandbox/clock/freeze')).toEqual({ now: startAt + 3 * hour, isFrozen: true });
  await now('POST /__sandbox/clock/resume');
  await expect.poll(() => sandbox.clock.now(), { timeout: 5_000, interval: 5 }).toBeGreaterThan(startAt + 3 * hour);
});

test('adds, lists and clears faults', async () => {
  const { sandbox } = control();
  const body = { operation: 'createDeal', status: 503, times: 2 };
  expect(await (await send(sandbox, 'POST /__sandbox/faults', { body })).json()).toEqual({ id: 1 });
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: deal })).status).toBe(503);
  expect(await (await send(sandbox, 'GET /__sandbox/faults')).json()).toEqual([{ id: 1, ...body, times: 1, seen: 1 }]);
  await send(sandbox, 'DELETE /__sandbox/faults');
  expect(sandbox.faults.list()).toEqual([]);
});

test('removes single faults by number', async () => {
  const { sandbox } = control();
  for (const status of [500, 503]) await send(sandbox, 'POST /__sandbox/faults', { body: { status, times: 'always' } });
  expect((await send(sandbox, 'DELETE /__sandbox/faults/1')).status).toBe(204);
  expect(sandbox.faults.list()).toMatchObject([{ id: 2, status: 503 }]);
  expect((await send(sandbox, 'DELETE /__sandbox/faults/1')).status).toBe(400);
});

test('filters, counts and clears the log over HTTP, and reads one request', async () => {
  const { sandbox } = control();
  for (const request of ['GET /crm/v1/users', 'GET /crm/v1/deals/502', 'GET /crm/v1/users'])
    await send(sandbox, request);
  const read = async (path: string) => (await send(sandbox, `GET /__sandbox/requests${path}`)).json();
  expect(await read('?operation=listUsers&after=1')).toMatchObject([{ id: 3, operation: 'listUsers' }]);
  expect(await read('/count?status=404')).toEqual({ count: 1 });
  expect(await read('/2')).toMatchObject({ id: 2, status: 404 });
  expect((await send(sandbox, 'GET /__sandbox/requests/9')).status).toBe(400);
  expect((await send(sandbox, 'GET /__sandbox/requests?colour=red')).status).toBe(400);
  expect((await send(sandbox, 'DELETE /__sandbox/requests')).status).toBe(204);
  expect(await read('')).toEqual([]);
});

test('logs requests', async () => {
  const { sandbox } = control();
  await send(sandbox, 'POST /crm/v1/deals', { body: deal });
  const log = await (await send(sandbox, 'GET /__sandbox/requests')).json();
  expect(log).toMatchObject([{ at: startAt, operation: 'createDeal', body: deal }]);
});

test.each<[string, unknown, RegExp]>([
  ['POST /__sandbox/reset', { seed: 'many' }, /seed/],
  ['POST /__sandbox/reset', { seed: -1 }, /seed/],
  ['POST /__sandbox/reset', { sede: 1 }, /sede/],
  ['POST /__sandbox/reset', [], /object/],
  ['POST /__sandbox/reset', '{', /not JSON/],
  ['POST /__sandbox/clock/advance', {}, /milliseconds/],
  ['POST /__sandbox/clock/advance', { milliseconds: -1 }, /cannot run backwards/],
  ['POST /__sandbox/faults', { drop: 'now' }, /drop/],
  [
    'POST /__sandbox/faults',
    { status: 500, operation: 'none' },
    /There is no operation .*'none'. An example of an operationId is 'createDeal'/,
  ],
  ['POST /__sandbox/faults', { status: 500, operation: 'changePipeline' }, /Did you mean changeDealPipeline\?/],
  ['POST /__sandbox/faults', { status: 500, headers: { 'no header': 'x' } }, /no header/],
])('reports invalid input and changes nothing: %s %j', async (request, body, message) => {
  const { sandbox } = control();
  const { state } = sandbox;
  const response = await send(sandbox, request, { body });
  expect(response.status).toBe(400);
  expect((await response.json()).message).toMatch(message);
  expect(sandbox.state).toBe(state);
});

test('lists the commands after an unknown one', async () => {
  const response = await send(createSandbox({ control: true }), 'GET /__sandbox/reset');
  expect(response.status).toBe(404);
  expect((await response.json()).message).toContain('POST /__sandbox/reset');
});

/** The commands that the response to an unknown one lists, such as `GET clock`. */
async function knownCommands(): Promise<string[]> {
  const response = await send(createSandbox({ control: true }), 'GET /__sandbox/unknown');
  const [, listed = ''] = /Known commands: (.*)$/.exec((await response.json()).message) ?? [];
  return listed.split(', ').map((command) => command.replace('/__sandbox/', ''));
}

test("the reference's table has all commands and no others", async () => {
  const guide = readFileSync(join(repositoryRoot, 'docs/guides/sandbox-reference.md'), 'utf8');
  const [, table = ''] = /\n\| method \| paths below `\/__sandbox\/` \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const inGuide = Array.from(table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm), ([, method, paths = '']) =>
    Array.from(paths.matchAll(/`([^`]+)`/g), ([, path]) => `${method} ${path}`),
  );
  expect(inGuide.flat().sort()).toEqual((await knownCommands()).sort());
});

test('answers each command that it lists', async () => {
  const unanswered: string[] = [];
  for (const command of await knownCommands()) {
    const request = command
      .replace(' ', ' /__sandbox/')
      .replace('{id}', '1')
      .replaceAll(/\{\w+\}/g, 'one');
    const response = await send(createSandbox({ control: true }), request);
    if ((await response.text()).includes('There is no such command')) unanswered.push(command);
  }
  expect(unanswered).toEqual([]);
});

test('PUT state rejects IDs at the end of the safe integers, which leave no room for new ones', async () => {
  const { sandbox } = control();
  const [tag] = [{ id: Number.MAX_SAFE_INTEGER - 1, name: 'Last' }];
  for (const crm of [{ tags: [tag] }, { settings: { nextId: Number.MAX_SAFE_INTEGER } }]) {
    const response = await send(sandbox, 'PUT /__sandbox/state', { body: { state: { crm } } });
    expect([response.status, (await response.json()).message]).toEqual([
      400,
      expect.stringContaining('IDs must be at most'),
    ]);
  }
});

test('cannot freeze the clock in its past', async () => {
  const { sandbox } = control();
  const response = await send(sandbox, 'POST /__sandbox/clock/freeze', { body: { at: 0 } });
  expect([response.status, (await response.json()).message]).toEqual([
    400,
    expect.stringContaining('cannot run backwards'),
  ]);
  expect(sandbox.clock.now()).toBe(startAt);
});

test.each(['POST /crm/v1/deals', 'PUT /__sandbox/state', 'POST /__sandbox/reset'])(
  'rejects a compressed body as such: %s',
  async (request) => {
    const { sandbox } = control();
    const [method = '', path = ''] = request.split(' ');
    const headers = { authorization: 'Bearer any', 'content-encoding': 'gzip' };
    const response = await sandbox.fetch(origin + path, { method, headers, body: '\u001f\u008b' });
    expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([415, 'content-encoding']);
  },
);

test('reads a body with the encoding that means none, in any case', async () => {
  const { sandbox } = control();
  const headers = { authorization: 'Bearer any', 'content-encoding': 'Identity' };
  const body = JSON.stringify({ name: 'New' });
  expect((await sandbox.fetch(`${origin}/crm/v1/contact-tags`, { method: 'POST', headers, body })).status).toBe(200);
});
