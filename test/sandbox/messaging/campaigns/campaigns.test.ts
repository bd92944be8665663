import { expect, test } from 'vitest';
import { expectChoice, hour, minute, second, start } from '../../support.ts';
import { button, promo } from '../examples.ts';

test('lists campaigns in pages', async () => {
  const { api } = start();
  const { task_id } = await api.messaging.campaigns.create(promo);
  expect((await api.messaging.campaigns.list()).data.map(({ id }) => id)).toEqual([9001, 9002, task_id]);
  expect((await api.messaging.campaigns.list({ limit: 1, offset: 1 })).data).toEqual([
    {
      id: 9002,
      name: 'Contract ready',
      message: null,
      button_text: null,
      button_link: null,
      image_link: null,
      address_book: null,
      sender_name: 'MyShop',
      sender_id: 5,
      message_live_time: 600,
      send_date: '2026-11-03 10:00:00',
      status: null,
      created: '2026-11-02 09:30:00',
    },
  ]);
  expect((await api.messaging.campaigns.list({ limit: 0 })).data).toHaveLength(3);
  await expectChoice(api.messaging.campaigns.list({ limit: -1 }), 'page-size');
});

test('reads a campaign of the story with its statistics', async () => {
  const { api } = start();
  expect(await api.messaging.campaigns.get({ id: 9001 })).toMatchObject({
    name: 'Renewal reminder',
    address_book_ids: [4400],
    created: '2026-11-02 09:30:00',
    resend_sms: true,
    resend_sms_status: 2,
    statistic: { sent: 9, delivered: 6, read: 3, redirected: 1, undelivered: 2, errors: 1 },
  });
  await expectChoice(api.messaging.campaigns.get({ id: 9 }), 'unknown-record', 404);
  await expectChoice(api.messaging.campaigns.listRecipients({ id: 9 }), 'unknown-record', 404);
});

test('updates the statistics as the clock advances', async () => {
  const { api, sandbox } = start();
  const recipients = [15550100130, 15550100131, 15550100133, 15550100136, 15550100138, 15550100139];
  const { task_id } = await api.messaging.campaigns.create({ ...promo, recipients, additional: { button } });
  const after = async (time: number) => {
    sandbox.clock.advance(time);
    return Object.values((await api.messaging.campaigns.get({ id: task_id })).statistic);
  };
  // sent, delivered, read, redirected, undelivered, errors
  expect(await after(0)).toEqual([6, 0, 0, 0, 0, 0]);
  expect(await after(10 * second)).toEqual([6, 4, 0, 0, 0, 1]);
  expect(await after(minute)).toEqual([6, 4, 2, 0, 0, 1]);
  expect(await after(minute)).toEqual([6, 4, 2, 1, 0, 1]);
  expect(await after(hour)).toEqual([6, 4, 2, 1, 1, 1]);
  const { recipients: listed } = await api.messaging.campaigns.listRecipients({ id: task_id });
  expect(listed.map(({ status }) => status)).toEqual([
    'delivered',
    'delivered and opened',
    'delivered and read',
    'read and a clickthrough followed',
    'not delivered',
    'error',
  ]);
});

test('counts no clicks without a button', async () => {
  const { api, sandbox } = start();
  const { task_id } = await api.messaging.campaigns.create(promo);
  sandbox.clock.advance(hour);
  expect((await api.messaging.campaigns.get({ id: task_id })).statistic).toMatchObject({ read: 2, redirected: 0 });
});

test('a price is in the currency of the account [messaging-price-currency]', async () => {
  const { api } = start({ currency: 'PLN' });
  const { task_id, recipients } = await api.messaging.campaigns.listRecipients({ id: 9001 });
  expect(task_id).toBe(9001);
  expect(recipients.slice(0, 2)).toEqual([
    {
      phone: 15550100123,
      address_book_id: 4400,
      status: 'delivered and read',
      send_date: '2026-11-03 10:00:00',
      price: 0.042,
      currency: 'PLN',
      last_update: '2026-11-03 10:01:00',
    },
    {
      phone: 15550100124,
      address_book_id: 4400,
      status: 'not delivered',
      send_date: '2026-11-03 10:00:00',
      price: 0,
      currency: 'PLN',
      last_update: '2026-11-03 10:00:00',
    },
  ]);
  const euros = await start().api.messaging.campaigns.listRecipients({ id: 9002 });
  expect(euros.recipients.map(({ currency }) => currency)).toEqual(['EUR']);
});

test('sends no message to a blacklisted phone number', async () => {
  const { api, sandbox } = start();
  await api.messaging.blacklist.add({ phones: [15550100136] });
  const { task_id } = await api.messaging.campaigns.create(promo);
  sandbox.clock.advance(hour);
  const statuses = async () =>
    (await api.messaging.campaigns.listRecipients({ id: task_id })).recipients.map(({ status }) => status);
  expect(await statuses()).toEqual(['delivered and read', 'not delivered']);
  await api.messaging.blacklist.remove({ phones: [15550100136] });
  expect(await statuses()).toEqual(['delivered and read', 'not delivered']);
});

test('lists a recipient once its message is sent', async () => {
  const { api, sandbox } = start();
  const { task_id } = await api.messaging.campaigns.create({ ...promo, send_date: '2026-11-04 12:30:00' });
  expect((await api.messaging.campaigns.listRecipients({ id: task_id })).recipients).toEqual([]);
  sandbox.clock.advance(30 * minute);
  expect((await api.messaging.campaigns.listRecipients({ id: task_id })).recipients).toMatchObject([
    { status: 'send', price: 0, address_book_id: null },
    { status: 'send' },
  ]);
});

test('reads sender names', async () => {
  const { api } = start();
  expect((await api.messaging.senders.list()).map(({ id, name }) => [id, name])).toEqual([
    [5, 'MyShop'],
    [6, 'MyShop News'],
    [7, 'MyShop Service'],
  ]);
  expect(await api.messaging.senders.get({ id: 5 })).toMatchObject({ name: 'MyShop', status: 'active' });
  await expectChoice(api.messaging.senders.get({ id: 8 }), 'unknown-record', 404);
});
