import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { start } from '../support.ts';
import { deal, send } from './raw.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const within = (own: string) => `${JSON.stringify(deal).slice(0, -1)},"own":${own}}`;
const lastTime = Date.UTC(9999, 0) - 1;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function heapInMegabytes(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}

test('large bodies leave no trace in memory: 60 requests of 5 MB', async () => {
  const { sandbox } = start();
  const before = heapInMegabytes();
  for (let index = 0; index < 60; index += 1) {
    const filter = { file: `${index} ${'QUJD'.repeat(1_250_000)}` };
    expect((await send(sandbox, 'POST /crm/v1/deals/get-list', { body: filter })).status).toBe(200);
  }
  expect(heapInMegabytes() - before).toBeLessThan(30);
});

test.each([
  ['arrays', nested(5_000)],
  ['objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ['101 levels', nested(100)],
])('a body that is nested too deeply is refused, and nothing is stored: %s', async (_, own) => {
  const { sandbox } = start();
  const before = structuredClone(sandbox.state);
  const response = await send(sandbox, 'POST /crm/v1/deals', { body: within(own) });
  expect([response.status, response.headers.get('x-sandbox-choice')]).toEqual([400, 'body-nesting']);
  expect((await response.json()).message).toContain('100 levels');
  expect(sandbox.state).toEqual(before);
  expect(() => JSON.stringify(sandbox.requests)).not.toThrow();
});

test('brackets in texts do not count as nesting', async () => {
  const { sandbox } = start();
  const own = JSON.stringify([`${'['.repeat(300)}"\\`, '\\"[', `${'{'.repeat(300)}\\`]);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(own) })).status).toBe(200);
  expect((await send(sandbox, 'POST /crm/v1/deals', { body: within(nested(99)) })).status).toBe(200);
});

test.each([1e300, 8.64e15, lastTime + 1, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  'a time that no date can express is refused as start, by freeze and by advance: %d',
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

test('at the last time of the clock every date still has a year of four digits', async () => {
  const sandbox = createSandbox({ startAt: lastTime - 60_000 });
  sandbox.clock.freeze();
  const replies = await Promise.all(
    ['GET /smtp/emails', 'GET /crm/v1/pipelines', 'GET /push/tasks'].map((request) => send(sandbox, request)),
  );
  for (const reply of replies) {
    expect(reply.status).toBe(200);
    expect(await reply.text()).not.toMatch(/[+-]\d{6}-/);
  }
});

test('a seed that is too large is refused at once, and nothing is reset', async () => {
  const { sandbox } = start({ control: true });
  const { state } = sandbox;
  for (const seed of [9e15, 1_000_001, 1e300, -1, 0.5]) {
    expect(() => createSandbox({ seed })).toThrow(RangeError);
    expect((await send(sandbox, 'POST /__sandbox/reset', { body: { seed } })).status).toBe(400);
  }
  expect(sandbox.state).toBe(state);
});
