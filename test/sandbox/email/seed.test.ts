import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { day, start, startAt } from '../support.ts';
import { sendTo } from './examples.ts';

test('the same seed gives the same data', async () => {
  const one = createSandbox({ seed: 500, startAt });
  const other = createSandbox({ seed: 500, startAt });
  for (const sandbox of [one, other]) {
    sandbox.clock.freeze(startAt);
    sandbox.reset();
  }
  expect(other.state.email).toEqual(one.state.email);
  expect([one.state.email.messages.size, one.state.email.unsubscribed.size]).toEqual([502, 51]);
});

test('the seed has no future dates if the clock is earlier than the story', async () => {
  const now = Date.UTC(2026, 7, 1);
  const { sandbox } = start({ startAt: now });
  sandbox.reset();
  const { messages, unsubscribed } = sandbox.state.email;
  for (const { sentAt, click } of messages.values()) expect(Math.max(sentAt, click?.at ?? 0)).toBeLessThanOrEqual(now);
  for (const { at } of unsubscribed.values()) expect(at).toBeLessThanOrEqual(now);
});

test('later changes do not affect a snapshot', async () => {
  const { api, sandbox } = start();
  const snapshot = sandbox.snapshot();
  const id = await sendTo(api, 'bounce@example.com');
  await api.email.unsubscribes.remove({ emails: ['ben.ito@example.com'] });
  sandbox.clock.advance(day);
  sandbox.restore(snapshot);
  expect((await api.email.unsubscribes.list()).data).toHaveLength(1);
  expect(await api.email.messages.count()).toEqual({ total: 2 });
  expect(await sendTo(api, 'bounce@example.com')).toBe(id);
});

test('an empty sandbox returns empty lists', async () => {
  const { api } = start({ seed: false });
  const { messages, bounces, unsubscribes, senders, domains } = api.email;
  for (const list of [messages.list(), bounces.list(), unsubscribes.list()]) expect((await list).data).toEqual([]);
  expect([await senders.list(), await domains.list(), await messages.count()]).toEqual([[], [], { total: 0 }]);
});
