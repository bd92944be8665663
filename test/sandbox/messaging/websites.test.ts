import { expect, test } from 'vitest';
import { expectChoice, start } from '../support.ts';

test('counts, lists and reads websites', async () => {
  const { api } = start();
  expect(await api.messaging.push.websites.count()).toEqual({ total: 2 });
  const { data } = await api.messaging.push.websites.list({ limit: 1 });
  expect(data).toEqual([{ id: 42, url: 'https://shop.example.com', add_date: '2026-11-02 09:30:00', status: 1 }]);
  expect(await api.messaging.push.websites.get({ id: 42 })).toEqual({
    id: 42,
    url: 'https://shop.example.com',
    status: 'active',
    icon: 'https://shop.example.com/icon.png',
    add_date: '2026-11-02 09:30:00',
    total_subscribers: 5,
    unsubscribed: 1,
    subscribers_today: 0,
    active_subscribers: 3,
  });
  const onTheDay = start({ startAt: Date.UTC(2026, 10, 2, 23) });
  expect((await onTheDay.api.messaging.push.websites.get({ id: 42 })).subscribers_today).toBe(5);
});

test('reads the variables and script of a website', async () => {
  const { api } = start();
  expect(await api.messaging.push.websites.listVariables({ id: 42 })).toEqual([
    { id: 1, name: 'plan', type: 'string' },
    { id: 2, name: 'seats', type: 'number' },
  ]);
  const { script_url, script_code } = await api.messaging.push.websites.getCode({ id: 42 });
  expect(script_url).toBe('https://push.example.com/42.js');
  expect(script_code).toContain(`src="${script_url}"`);
});

test('an unknown website gets status 404', async () => {
  const { websites } = start().api.messaging.push;
  for (const read of [
    websites.get({ id: 1 }),
    websites.getCode({ id: 1 }),
    websites.listVariables({ id: 1 }),
    websites.listSubscribers({ id: 1 }),
    websites.countSubscribers({ id: 1 }),
  ])
    await expectChoice(read, 'unknown-record', 404);
});

test('lists subscribers by date, and counts them', async () => {
  const { api } = start();
  const list = async (query: object) =>
    (await api.messaging.push.websites.listSubscribers({ id: 42, ...query })).data.map(({ id }) => id);
  expect(await list({ limit: 2, offset: 1 })).toEqual([67002, 67003]);
  expect(await list({ subscription_date_from: '2026-11-02', subscription_date_to: '2026-11-02' })).toHaveLength(5);
  expect(await list({ subscription_date_from: '2026-11-03' })).toEqual([]);
  expect(await list({ subscription_date_to: '2026-11-01' })).toEqual([]);
  expect(await api.messaging.push.websites.countSubscribers({ id: 42 })).toEqual({ total: 5 });
  const { data } = await api.messaging.push.websites.listSubscribers({ id: 42, limit: 1 });
  expect(data).toEqual([
    {
      id: 67001,
      browser: 'Chrome',
      lang: 'en',
      os: 'Windows',
      country_code: 'PL',
      city: 'Warsaw',
      variables: [],
      subscription_date: '2026-11-02 09:30:00',
      status: 1,
    },
  ]);
});

const subscribers = { active: 67001, deactivated: 67003, unsubscribed: 67004 };

async function stateAfter(id: number, state: 0 | 1) {
  const { api } = start();
  expect(await api.messaging.push.subscribers.setState({ id, state })).toEqual({ result: true });
  const { data } = await api.messaging.push.websites.listSubscribers({ id: 42 });
  const { active_subscribers, unsubscribed } = await api.messaging.push.websites.get({ id: 42 });
  return [data.find((subscriber) => subscriber.id === id)?.status, active_subscribers, unsubscribed];
}

test('state 1 activates a subscriber from any status [push-subscriber-activate]', async () => {
  expect(await stateAfter(subscribers.active, 1)).toEqual([1, 3, 1]);
  expect(await stateAfter(subscribers.deactivated, 1)).toEqual([1, 4, 1]);
  expect(await stateAfter(subscribers.unsubscribed, 1)).toEqual([1, 4, 0]);
});

test('state 0 deactivates a subscriber from any status [push-subscriber-deactivate]', async () => {
  expect(await stateAfter(subscribers.active, 0)).toEqual([0, 2, 1]);
  expect(await stateAfter(subscribers.deactivated, 0)).toEqual([0, 3, 1]);
  expect(await stateAfter(subscribers.unsubscribed, 0)).toEqual([0, 3, 0]);
});

test('an unknown subscriber gets status 404', async () => {
  await expectChoice(start().api.messaging.push.subscribers.setState({ id: 1, state: 1 }), 'unknown-record', 404);
});
