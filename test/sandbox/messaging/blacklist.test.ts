import { expect, test } from 'vitest';
import { expectChoice, start } from '../support.ts';

test('has the one entry of the story', async () => {
  const { api } = start();
  const { data, total } = await api.messaging.blacklist.list();
  expect(total).toBe(1);
  expect(data).toEqual([
    {
      id: 301,
      user_id: 77,
      phone: 15550100124,
      description: 'Asked for no more messages',
      add_date: '2026-11-02 09:30:00',
    },
  ]);
});

test('add counts new and existing numbers', async () => {
  const { api } = start();
  const phones = [15550100123, '15550100124', '15550100123'];
  expect(await api.messaging.blacklist.add({ phones, description: 'On holiday' })).toEqual({
    result: true,
    counters: { added: 1, exists: 1 },
  });
  const { data } = await api.messaging.blacklist.list();
  expect(data.map(({ phone, description }) => [phone, description])).toEqual([
    [15550100124, 'Asked for no more messages'],
    [15550100123, 'On holiday'],
  ]);
  expect(data[1]?.add_date).toBe('2026-11-04 12:00:00');
  const nothing = await api.messaging.blacklist.add({ phones: [] });
  expect(nothing.counters).toEqual({ added: 0, exists: 0 });
});

test('remove counts existing numbers', async () => {
  const { api } = start();
  const phones = ['15550100124', 15550100124, 15550100199];
  expect(await api.messaging.blacklist.remove({ phones })).toEqual({ result: true, deleted: 1 });
  expect(await api.messaging.blacklist.remove({ phones })).toEqual({ result: true, deleted: 0 });
  expect((await api.messaging.blacklist.list()).total).toBe(0);
});

test('returns the blacklist in pages, with the total', async () => {
  const { api } = start();
  await api.messaging.blacklist.add({ phones: [15550100131, 15550100132] });
  const page = await api.messaging.blacklist.list({ limit: 1, offset: 1 });
  expect([page.data.map(({ phone }) => phone), page.total]).toEqual([[15550100131], 3]);
});

test('changes nothing after a request with an invalid phone number', async () => {
  const { api } = start();
  const phones = [15550100131, 0];
  await expectChoice(api.messaging.blacklist.add({ phones }), 'messaging-phone-range');
  await expectChoice(api.messaging.blacklist.remove({ phones: [15550100124, -1] }), 'messaging-phone-range');
  expect((await api.messaging.blacklist.list()).total).toBe(1);
});
