import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import * as limits from '../../src/sandbox/limits.ts';
import { deal, send } from './raw.ts';
import { start } from './support.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const within = (own: string) => `${JSON.stringify(deal).slice(0, -1)},"own":${own}}`;
const lastTime = Date.UTC(9999, 0) - 1;

test.each([
  ['arrays', nested(5_000)],
  ['objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['101 levels', nested(100)],
])('rejects a body that is nested too deeply, and stores nothing: %s', async (_, own) => {
  const { sandbox } = start();
  const before = sandbox.snapshot().state;
  const response = await send(sandbox, 'POST /crm/v1/deals', { body: within(own) });
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([400, 'body-nesting']);
  expect((await response.json()).message).toContain('100 levels');
  expect(sandbox.snapshot().state).toEqual(before);
  expect(() => JSON.stringify(sandbox.requests)).not.toThrow();
});

test('ignores brackets in strings when it measures nesting', async () => {
  const { sandbox } = start();
  const own = JSON.stringify([`${'['.repeat(300)}"\\`, '\\"[', `${'{'.repeat(300)}\\`]);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(own) })).status).toBe(200);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(nested(99)) })).status).toBe(200);
});

test.each([1e300, 8.64e15, lastTime + 1, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'an invalid date throws as start, and in freeze and advance: %d',
  async (time) => {
    expect(() => createSandbox({ startAt: time })).toThrow(RangeError);
    const { sandbox } = start({ control: true });
    const now = sandbox.clock.now();
    expect(() => sandbox.clock.freeze(time)).toThrow(RangeError);
    expect(() => sandbox.clock.advance(time)).toThrow(RangeError);
    expect((await send(sandbox, 'POST /__sandbox/clock/freeze', { body: { at: time } })).status).toBe(400);
    expect((await send(sandbox, 'POST /__sandbox/clock/advance', { body: { milliseconds: time } })).status).toBe(400);
    expect(sandbox.clock.now()).toBe(now);
  },
);

test('at the last time of the clock, every year still has four digits', async () => {
  const sandbox = createSandbox({ startAt: lastTime - 60_000 });
  sandbox.clock.freeze();
  const responses = await Promise.all(
    ['GET /smtp/emails', 'GET /crm/v1/pipelines', 'GET /push/tasks'].map((request) => send(sandbox, request)),
  );
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/[+-]\d{6}-/);
  }
});

test('a seed that is too large throws at once, and resets nothing', async () => {
  const { sandbox } = start({ control: true });
  const { state } = sandbox;
  for (const seed of [9e15, 1_000_001, 1e300, -1, 0.5]) {
    expect(() => createSandbox({ seed })).toThrow(RangeError);
    expect((await send(sandbox, 'POST /__sandbox/reset', { body: { seed } })).status).toBe(400);
  }
  expect(sandbox.state).toBe(state);
});

test.each([
  ['a body', 'POST /crm/v1/deals', within(JSON.stringify('x'.repeat(limits.maxBodySize)))],
  ['a snapshot', 'PUT /__sandbox/state', JSON.stringify('x'.repeat(limits.maxBodySize))],
])('%s with too many bytes gets status 413, and changes nothing', async (_, request, body) => {
  const { sandbox } = start({ control: true });
  const before = sandbox.snapshot().state;
  const response = await send(sandbox, request, { body });
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([413, 'body-size']);
  expect((await response.json()).message).toMatch(/^The body has more than \d+ bytes\. Send a smaller body\.$/);
  expect([sandbox.snapshot().state, sandbox.faults.list()]).toEqual([before, []]);
});

test('the nesting of a snapshot is limited', async () => {
  const { sandbox } = start({ control: true });
  const body = `{"state":{"crm":{"deals":[{"record":${nested(5_000)}}]}}}`;
  const response = await send(sandbox, 'PUT /__sandbox/state', { body });
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([400, 'body-nesting']);
});

test('finds a wrong item far back in a long list', async () => {
  const { sandbox } = start();
  const emails = [...Array.from({ length: 5_000 }, (_, index) => ({ email: `${index}@example.com` })), { email: 7 }];
  const response = await send(sandbox, 'POST /smtp/unsubscribe', { body: { emails } });
  expect(await response.json()).toMatchObject({
    message:
      'The request does not match the specification: body.emails.5000.email: Invalid input: expected string, received number (an assumption: its type is not documented)',
    violations: [{ location: ['body', 'emails', '5000', 'email'] }],
    violationCount: 1,
  });
});

test('rejects a list that is too long but otherwise valid for its length', async () => {
  const { sandbox } = start();
  const emails = Array.from({ length: 2_000 }, (_, index) => String(index));
  const response = await send(sandbox, 'POST /smtp/emails/info', { body: { emails } });
  expect(await response.json()).toMatchObject({ violations: [{ location: ['body', 'emails'] }], violationCount: 1 });
});

test('long names do not make a long response', async () => {
  const { sandbox } = start();
  const body = `{"variables":{"${'x'.repeat(1_000_000)}":1}}`;
  const response = await send(sandbox, 'POST /msgr', { body });
  expect((await response.text()).length).toBeLessThan(5_000);
});

test("the client's error shows the first violation", async () => {
  const { api } = start();
  // @ts-expect-error: JavaScript can send a name that is not text
  const call = api.crm.deals.create({ ...deal, name: 7 });
  await expect(call).rejects.toThrow(/body\.name: Invalid input: expected string, received number/);
});

test.each<[string, number[]]>([
  ['a request body', [limits.maxBodySize / 2 ** 20, limits.maxNesting]],
  ['violations in a response', [limits.maxListed]],
  ['`seed`', [limits.maxSeed]],
  ['faults', [limits.maxFaults]],
  ['the log', [limits.logLimits.requests, limits.logLimits.total, limits.logLimits.body]],
  ['snapshots with a name', [limits.maxSnapshots]],
  ['worlds beside the default one', [limits.defaultMaxWorlds]],
  ['records of all worlds', [limits.maxRecords]],
  ['name of a world in a header', [limits.maxNameLength]],
])('the guide names the limit of the sandbox for: %s', (what, numbers) => {
  const guide = readFileSync(join(repositoryRoot, 'docs/guides/sandbox-reference.md'), 'utf8');
  const [row = '', ...more] = guide
    .slice(guide.indexOf('## Limits'))
    .split('\n')
    .filter((line) => line.startsWith(`| ${what}`));
  expect(more).toEqual([]);
  const named = row.match(/\d+(?:,\d{3})*/g) ?? [];
  for (const number of numbers) expect(named).toContain(number.toLocaleString('en-US'));
});
