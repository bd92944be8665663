import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { marked } from '../marks.ts';
import { send } from '../raw.ts';
import { day, expectChoice, expectRule, hour, minute, second, start, startAt } from '../support.ts';
import { promo, sale, system, systemText } from './examples.ts';

describe('counts characters, not UTF-16 code units', () => {
  const character = '😀';

  test('in the value of a variable [messaging-variable-value]', async () => {
    const { api } = start();
    const create = (name: string) => api.messaging.campaigns.create({ ...system, variables: { name, plan: 'Team' } });
    await create(character.repeat(125));
    await expectRule(create(character.repeat(126)), 'messaging-variable-value');
  });

  test('in a text that must match a template [messaging-system-text-matches-template]', async () => {
    const { api } = start({ startAt: Date.UTC(2026, 8, 1) });
    const create = (name: string) =>
      api.messaging.campaigns.create({
        ...systemText,
        message: `Hello ${name}, the contract of your Team plan is ready.`,
      });
    await create(character.repeat(125));
    await expectRule(create(character.repeat(126)), 'messaging-system-text-matches-template');
  });

  test('in the text of a message', async () => {
    const { api } = start();
    await api.messaging.campaigns.create({ ...promo, message: character.repeat(1_000) });
    await expectChoice(api.messaging.campaigns.create({ ...promo, message: character.repeat(1_001) }), 'request-shape');
  });
});

test('a template can name its variables in any language', async () => {
  const { api, sandbox } = start();
  const template = { id: 703, senderId: 5, approved: true, text: 'Cześć {{imię}}!' };
  sandbox.state.messaging.templates.set(703, template);
  const create = (variables: Record<string, string>) =>
    api.messaging.campaigns.create({ ...system, template_id: 703, variables });
  await create({ imię: 'Ann' });
  await expectRule(create({ imie: 'Ann' }), 'messaging-template-variables');
});

test.each(['null', '7', '{"length":1}', '["x"]'])(
  'rejects a variable whose value is not text, even one called __proto__: %s',
  async (value) => {
    const sandbox = createSandbox({ startAt });
    const body = JSON.stringify(system).replace('"name":"Ann"', `"name":"Ann","__proto__":${value}`);
    const { status, choices, body: response } = await marked(sandbox, 'POST /msgr', body);
    expect([status, choices]).toEqual([422, ['request-shape']]);
    expect(response).toMatchObject({ violations: [{ location: ['body', 'variables', '__proto__'] }] });
  },
);

test('counts a repeated phone number twice for the limit of a system message', async () => {
  const { api } = start();
  const recipients = [15550100123, '15550100123'];
  const rejected = await expectRule(
    api.messaging.campaigns.create({ ...system, recipients }),
    'messaging-system-single-recipient',
  );
  expect(rejected).toMatchObject({ choice: 'messaging-repeated-phone', body: { message: '3086' } });
});

test('starts a resend through SMS after the time to live of the last message', async () => {
  const { api, sandbox } = start();
  const recipients = [15550100130, 15550100131];
  const resend_sms = { status: true, sms_text: 'Renew', sms_sender_name: 'MyShop' };
  const { task_id } = await api.messaging.campaigns.create({
    ...promo,
    recipients,
    stretch_time: 4,
    additional: { resend_sms },
  });
  const after = async (time: number) => {
    sandbox.clock.advance(time);
    return (await api.messaging.campaigns.get({ id: task_id })).resend_sms_status;
  };
  // The last message is sent after two of the four hours, and has a time to live of one hour.
  expect(await after(3 * hour - 1)).toBe(0);
  expect(await after(1)).toBe(1);
  expect(await after(minute)).toBe(2);
});

describe('a web push campaign ends before the year 10000', () => {
  test.each([
    { stretch_time: Number.MAX_SAFE_INTEGER },
    { send_date: '9999-12-31 23:59:59' },
    { send_date: '9999-12-31 23:59:59', stretch_time: 1 },
  ])('rejects %o', async (fields) => {
    const { api } = start();
    await expectChoice(api.messaging.push.campaigns.create({ ...sale, ...fields }), 'push-time-range');
    expect((await api.messaging.push.campaigns.list()).data).toHaveLength(1);
  });

  test('can end at the last second', async () => {
    const { api } = start();
    await api.messaging.push.campaigns.create({ ...sale, send_date: '9999-12-31 23:59:59', stretch_time: 0 });
    expect((await api.messaging.push.campaigns.list()).data[1]?.to).toBe('9999-12-31 23:59:59');
  });
});

test('rejects an image in broken Base64 [push-image-file]', async () => {
  const { api } = start();
  for (const image of ['iVBORw0KGgoA=', 'iVBORw0KGgoAA', 'data:image/png;base64,iVBORw0KGgo===', 'iVBORw0KGgo_'])
    await expectRule(api.messaging.push.campaigns.create({ ...sale, image }), 'push-image-file');
});

test("a notification's button needs text and a link", async () => {
  const { api } = start();
  const text = 'Plans';
  const link = 'https://shop.example.com/plans';
  for (const button of [{}, { text }, { link }, { text: '', link }])
    await expectChoice(api.messaging.push.campaigns.create({ ...sale, buttons: [button] }), 'push-incomplete-button');
  await api.messaging.push.campaigns.create({ ...sale, buttons: [{ text, link }] });
});

test("a website's 15 minutes end to the millisecond, and do not block other websites", async () => {
  const { api, sandbox } = start();
  const create = (website_id: number) => api.messaging.push.campaigns.create({ ...sale, website_id });
  await create(42);
  sandbox.clock.advance(15 * minute - 1);
  await create(43);
  await expectRule(create(42), 'push-campaign-quota', 429);
  sandbox.clock.advance(1);
  await create(42);
});

test('an emulated campaign does not use up the real one or its ID', async () => {
  const { api, sandbox } = start();
  const emulated = await api.messaging.campaigns.create({ ...promo, emulate: true });
  const real = await api.messaging.campaigns.create(promo);
  expect({ ...real, task_id: 0 }).toEqual({ ...emulated, task_id: 0 });
  expect([...sandbox.state.messaging.campaigns.keys()]).toEqual([9001, 9002, real.task_id]);
});

test('sends the message of a waiting campaign to a number blacklisted later', async () => {
  const { api, sandbox } = start();
  const { task_id } = await api.messaging.campaigns.create({ ...promo, send_date: '2026-11-04 12:00:10' });
  await api.messaging.blacklist.add({ phones: [15550100136] });
  sandbox.clock.advance(10 * second + minute);
  expect((await api.messaging.campaigns.get({ id: task_id })).statistic).toMatchObject({
    delivered: 2,
    undelivered: 0,
  });
});

test.each(['GET /push/websites', 'GET //push//websites//', 'GET /push/websites/?x=1&__proto__=2', 'GET /msgr/task/'])(
  'responds to %s like the documented path',
  async (request) => {
    expect((await send(createSandbox({ startAt }), request)).status).toBe(200);
  },
);

test('returns an empty page beyond the end, and the rest after a full page of 100', async () => {
  const { api } = start({ seed: 10_100 });
  const list = async (offset: number) => (await api.messaging.push.campaigns.list({ offset })).data.length;
  expect([await list(0), await list(100), await list(102), await list(10_000)]).toEqual([100, 2, 0, 0]);
});

test('lists of the seed are in order of creation, like later ones', () => {
  const { messaging } = createSandbox({ seed: 2_000, startAt }).state;
  const created = [...messaging.pushCampaigns.values()].map(({ createdAt }) => createdAt);
  expect(created).toEqual(created.toSorted((one, other) => one - other));
  const subscribed = [...messaging.subscribers.values()].map(({ record }) => record.subscription_date);
  expect(subscribed).toEqual(subscribed.toSorted());
  expect(Date.UTC(2026, 10, 4) + day).toBeGreaterThan(created.at(-1) ?? 0);
});
