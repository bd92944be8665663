import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { day, start, startAt } from '../support.ts';

test('the same seed gives the same data', () => {
  const one = createSandbox({ seed: 500, startAt }).state.messaging;
  expect(createSandbox({ seed: 500, startAt }).state.messaging).toEqual(one);
  expect([one.subscribers.size, one.blacklist.size]).toEqual([505, 51]);
});

test('the seed has no future dates if the clock is earlier than the story', async () => {
  const { api } = start({ startAt: Date.UTC(2026, 7, 1) });
  const { data } = await api.messaging.campaigns.list();
  expect(data.map(({ created }) => created)).toEqual(['2026-07-31 00:00:00', '2026-07-31 00:00:00']);
  await api.messaging.push.campaigns.create({ title: 'Sale', website_id: 42, body: 'Now', ttl: 60 });
});

test('later changes do not affect a snapshot', async () => {
  const { api, sandbox } = start();
  const snapshot = sandbox.snapshot();
  await api.messaging.push.subscribers.setState({ id: 67001, state: 0 });
  sandbox.clock.advance(day);
  sandbox.restore(snapshot);
  expect((await api.messaging.push.websites.get({ id: 42 })).active_subscribers).toBe(3);
  const { data } = await api.messaging.push.websites.listSubscribers({ id: 42, limit: 1 });
  expect(data[0]?.status).toBe(1);
});

test('an empty sandbox returns empty lists', async () => {
  const { api } = start({ seed: false });
  expect((await api.messaging.campaigns.list()).data).toEqual([]);
  expect(await api.messaging.senders.list()).toEqual([]);
  expect(await api.messaging.push.websites.count()).toEqual({ total: 0 });
});
