import { describe, expect, test } from 'vitest';
import { expectChoice, expectRule, hour, minute, second, start } from '../../support.ts';
import { sale, send, sendSale } from '../examples.ts';

test('lists and reads the campaign of the story', async () => {
  const { api } = start();
  expect((await api.messaging.push.campaigns.list()).data).toEqual([
    {
      id: 8101,
      title: 'Autumn sale',
      body: sale.body,
      website_id: 42,
      from: '2026-11-03 10:00:00',
      to: '2026-11-03 15:00:00',
      status: 3,
    },
  ]);
  expect(await api.messaging.push.campaigns.get({ id: 8101 })).toEqual({
    id: 8101,
    message: { title: 'Autumn sale', text: sale.body, link: 'https://shop.example.com/sale' },
    website: 'https://shop.example.com',
    website_id: 42,
    status: 3,
    send: '3',
    delivered: 3,
    redirect: 0,
  });
  await expectChoice(api.messaging.push.campaigns.get({ id: 1 }), 'unknown-record', 404);
});

test('a website accepts one campaign in 15 minutes [push-campaign-quota]', async () => {
  const { api, sandbox } = start();
  const create = (website_id: number) => api.messaging.push.campaigns.create({ ...sale, website_id });
  await create(42);
  await create(43);
  sandbox.clock.advance(15 * minute - 1);
  const rejected = await expectRule(create(42), 'push-campaign-quota', 429);
  expect(rejected.choice).toBe('push-quota-response');
  sandbox.clock.advance(1);
  await create(42);
  await expectRule(create(42), 'push-campaign-quota', 429);
});

test('a rejected campaign does not count towards the quota', async () => {
  const { api } = start();
  await expectChoice(api.messaging.push.campaigns.create({ ...sale, ttl: -1 }), 'push-time-range');
  await api.messaging.push.campaigns.create(sale);
});

test('a notification without a link opens the website [push-link-default]', async () => {
  const link = async (given: object) => {
    const { api } = start();
    const { id } = await api.messaging.push.campaigns.create({ ...sale, ...given });
    return (await api.messaging.push.campaigns.get({ id })).message.link;
  };
  expect(await link({})).toBe('https://shop.example.com');
  expect(await link({ link: '' })).toBe('https://shop.example.com');
  expect(await link({ link: 'https://shop.example.com/sale' })).toBe('https://shop.example.com/sale');
});

describe('the larger image must be a JPG, PNG or GIF below 200 KB [push-image-file]', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  const ofSize = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64');
  const create = (image: string) => start().api.messaging.push.campaigns.create({ ...sale, image });

  test.each([
    ['an address', 'https://shop.example.com/sale.png'],
    ['an address with a query', 'https://shop.example.com/sale.JPEG?width=300'],
    ['an address without an ending', 'https://shop.example.com/image/17'],
    ['a PNG', ofSize(200 * 1024 - 1)],
    ['a data URI', `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`],
    ['nothing', ''],
  ])('accepts %s', async (_, image) => {
    await create(image);
  });

  test.each([
    ['another kind of file', 'https://shop.example.com/sale.webp'],
    ['a PNG of 200 KB', ofSize(200 * 1024)],
    ['a PDF', Buffer.from('%PDF-1.7').toString('base64')],
    ['a word', 'sale'],
  ])('rejects %s', async (_, image) => {
    await expectRule(create(image), 'push-image-file');
  });
});

test('a notification has at most two buttons [push-buttons-limit]', async () => {
  const button = { text: 'See plans', link: 'https://shop.example.com/plans' };
  const create = (buttons: object[]) => start().api.messaging.push.campaigns.create({ ...sale, buttons });
  for (const buttons of [[], [button], [button, button]]) await create(buttons);
  await expectRule(create([button, button, button]), 'push-buttons-limit');
  expect(await sendSale({ buttons: '' })).toEqual([200, undefined]);
  for (const buttons of ['not JSON', '{}', '[1]']) expect(await sendSale({ buttons })).toEqual([422, 'push-json-text']);
});

test('a campaign goes through its statuses as time passes', async () => {
  const { api, sandbox } = start({ seed: 200 });
  const planned = { ...sale, send_date: '2026-11-04 13:00:00', stretch_time: 3_600 };
  const { id } = await api.messaging.push.campaigns.create(planned);
  const after = async (time: number) => {
    sandbox.clock.advance(time);
    const { status, send: sent, delivered, redirect } = await api.messaging.push.campaigns.get({ id });
    return { status, sent: Number(sent), delivered, redirect };
  };
  expect(await after(0)).toMatchObject({ status: 13, sent: 0 });
  expect(await after(10 * second)).toMatchObject({ status: 0, sent: 0 });
  expect(await after(hour - 10 * second)).toMatchObject({ status: 2, sent: 0 });
  const { active_subscribers: active } = await api.messaging.push.websites.get({ id: 42 });
  expect(await after(hour / 2)).toMatchObject({ status: 2, sent: Math.floor(active / 2) });
  const done = await after(hour / 2);
  const delivered = active - Math.floor(active / 20);
  expect(done).toEqual({ status: 3, sent: active, delivered, redirect: Math.floor(delivered / 12) });
});

test('a campaign without stretch_time takes five hours', async () => {
  const { api } = start();
  const { id } = await api.messaging.push.campaigns.create(sale);
  const { data } = await api.messaging.push.campaigns.list({ website_id: 42 });
  expect(data.at(-1)).toMatchObject({ id, from: '2026-11-04 12:00:10', to: '2026-11-04 17:00:10' });
});

test('a campaign that reaches no subscribers ends without active recipients', async () => {
  const { api, sandbox } = start();
  const { id } = await api.messaging.push.campaigns.create({ ...sale, website_id: 43 });
  sandbox.clock.advance(minute);
  expect(await api.messaging.push.campaigns.get({ id })).toMatchObject({ status: 12, send: '0' });
});

test('filters campaigns by website and period, inclusive', async () => {
  const { api } = start();
  const { id } = await api.messaging.push.campaigns.create({ ...sale, website_id: 43 });
  const list = async (query: object) => (await api.messaging.push.campaigns.list(query)).data.map((item) => item.id);
  expect(await list({})).toEqual([8101, id]);
  expect(await list({ website_id: 0 })).toEqual([8101, id]);
  expect(await list({ website_id: 43 })).toEqual([id]);
  expect(await list({ from: '2026-11-03 10:00:00', to: '2026-11-03 10:00:00' })).toEqual([8101]);
  expect(await list({ from: '2026-11-03 10:00:01' })).toEqual([id]);
  expect(await list({ to: '2026-11-04 12:00:10' })).toEqual([8101, id]);
  expect(await list({ to: '2026-11-03 09:59:59' })).toEqual([]);
  await expectChoice(api.messaging.push.campaigns.list({ from: '2026-02-30 00:00:00' }), 'messaging-impossible-date');
});

test('a page of a web push list holds at most 100 entries [push-list-page-size]', async () => {
  const { api, sandbox } = start({ seed: 200 });
  const { pushCampaigns } = sandbox.state.messaging;
  const [campaign] = pushCampaigns.values();
  if (!campaign) throw new Error('The seed has no push campaign');
  for (let id = 9_000; id < 9_100; id += 1) pushCampaigns.put({ ...campaign, id });
  const campaigns = async (limit?: number) => (await api.messaging.push.campaigns.list({ limit })).data.length;
  expect([await campaigns(), await campaigns(7), await campaigns(500)]).toEqual([100, 7, 100]);
  const subscribers = await api.messaging.push.websites.listSubscribers({ id: 42, limit: 500 });
  expect(subscribers.data).toHaveLength(100);
});

test('a rejected campaign changes nothing', async () => {
  const { api, sandbox } = start();
  const before = sandbox.snapshot().state;
  await expectChoice(api.messaging.push.campaigns.create({ ...sale, website_id: 9 }), 'unknown-record', 404);
  await expectChoice(
    api.messaging.push.campaigns.create({ ...sale, send_date: '2026-13-01 00:00:00' }),
    'messaging-impossible-date',
  );
  await expectChoice(api.messaging.push.campaigns.create({ ...sale, ttl: 86_401 }), 'request-shape');
  expect((await send(sandbox, '/push/tasks', {})).status).toBe(422);
  expect(sandbox.snapshot().state).toEqual(before);
});
