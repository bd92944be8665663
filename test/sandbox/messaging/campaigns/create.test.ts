import { expect, test } from 'vitest';
import { expectChoice, expectRule, hour, start, unchecked } from '../../support.ts';
import { button, image, promo, send, system } from '../examples.ts';

test('a campaign has one audience, either a mailing list or phone numbers [messaging-audience]', async () => {
  const { api } = start();
  const { recipients, ...rest } = promo;
  const passes = [
    { recipients },
    { recipients, address_book: null },
    { recipients, address_book: 0 },
    { address_book: 4400 },
    { address_book: 4400, recipients: null },
    { address_book: 4400, recipients: [] },
  ];
  for (const audience of passes) await api.messaging.campaigns.create(unchecked({ ...rest, ...audience }));
  const rejected = [{}, { recipients: [] }, { address_book: 0, recipients: null }, { address_book: 4400, recipients }];
  for (const audience of rejected)
    await expectRule(api.messaging.campaigns.create(unchecked({ ...rest, ...audience })), 'messaging-audience');
});

test('rejects a campaign without an audience before it checks codes', async () => {
  const { api } = start();
  const call = api.messaging.campaigns.create({ ...system, recipients: [], template_id: 701 });
  await expectRule(call, 'messaging-audience');
});

test('the sender name must be registered and active [messaging-sender-active]', async () => {
  const { api } = start();
  await api.messaging.campaigns.create({ ...promo, sender_id: 7 });
  for (const sender_id of [6, 99])
    await expectRule(api.messaging.campaigns.create({ ...promo, sender_id }), 'messaging-sender-active');
});

test('names a campaign that has no name [messaging-task-name-generated]', async () => {
  const { api } = start();
  const name = async (task_name?: string) => (await api.messaging.campaigns.create({ ...promo, task_name })).task_name;
  expect(await name()).toBe('Campaign of 2026-11-04');
  expect(await name('')).toBe('Campaign of 2026-11-04');
  expect(await name('Renewal')).toBe('Renewal');
});

test('sends a campaign at once or at its date [messaging-send-date]', async () => {
  const { api, sandbox } = start();
  const sent = async (send_date: string) => {
    const { task_id, send_date: replied } = await api.messaging.campaigns.create({ ...promo, send_date });
    const count = async () => (await api.messaging.campaigns.get({ id: task_id })).statistic.sent;
    return { replied, count };
  };
  const now = await sent('now');
  expect(now.replied).toBe('2026-11-04 12:00:00');
  expect(await now.count()).toBe(2);
  const later = await sent('2026-11-04 13:00:00');
  expect(later.replied).toBe('2026-11-04 13:00:00');
  expect(await later.count()).toBe(0);
  sandbox.clock.advance(hour);
  expect(await later.count()).toBe(2);
  const past = await sent('2026-11-01 00:00:00');
  expect(past.replied).toBe('2026-11-04 13:00:00');
  await expectRule(
    api.messaging.campaigns.create({ ...promo, send_date: '2026-02-30 10:00:00' }),
    'messaging-send-date',
  );
});

test('sends a campaign gradually over 0 to 5 hours [messaging-gradual-sending]', async () => {
  const { api, sandbox } = start();
  const recipients = [15550100120, 15550100121, 15550100122, 15550100123];
  const { task_id } = await api.messaging.campaigns.create({ ...promo, recipients, stretch_time: 4 });
  const sent: number[] = [];
  for (let passed = 0; passed <= 4; passed += 1) {
    sent.push((await api.messaging.campaigns.get({ id: task_id })).statistic.sent);
    sandbox.clock.advance(hour);
  }
  expect(sent).toEqual([1, 2, 3, 4, 4]);
  for (const stretch_time of [0, 5]) await api.messaging.campaigns.create({ ...promo, stretch_time });
  await expectChoice(api.messaging.campaigns.create({ ...promo, stretch_time: 6 }), 'request-shape');
});

test('the content of a promo must be one of four combinations [messaging-content-combinations]', async () => {
  const { api } = start();
  const create = (content: object) => api.messaging.campaigns.create({ ...promo, ...content });
  const noExtras = { button: {}, image: { link: '' }, resend_sms: { status: false } };
  const passes = [
    {},
    { additional: noExtras },
    { additional: { button } },
    { additional: { button, image } },
    { message: null, additional: { image } },
    { template_id: 0, variables: {} },
  ];
  for (const content of passes) await create(content);
  const rejected = [
    { message: null },
    { message: '' },
    { additional: { image } },
    { message: null, additional: { button } },
    { message: null, additional: { button, image } },
    { message: null, template_id: 700, additional: { image } },
    { variables: { name: 'Ann' } },
  ];
  for (const content of rejected) await expectRule(create(content), 'messaging-content-combinations');
  await expectChoice(create({ additional: { button: { text: 'Renew' } } }), 'messaging-incomplete-extra');
});

test('button, image and resend are extras of a promo [messaging-promo-extras]', async () => {
  const { api } = start();
  const resend_sms = { status: true, sms_text: 'Renew', sms_sender_name: 'MyShop' };
  const created = await api.messaging.campaigns.create({ ...promo, additional: { button, image, resend_sms } });
  expect(created).toMatchObject({ button_text: button.text, button_link: button.link, image_link: image.link });
  for (const additional of [{ button }, { image }, { resend_sms }])
    await expectRule(api.messaging.campaigns.create({ ...system, additional }), 'messaging-promo-extras');
  await api.messaging.campaigns.create({ ...system, additional: {} });
});

test('resends a promo through SMS with a text and a sender name [messaging-resend-sms]', async () => {
  const { api, sandbox } = start();
  const create = (resend_sms: object) => api.messaging.campaigns.create({ ...promo, additional: { resend_sms } });
  const resend = { status: true, sms_text: 'Renew', sms_sender_name: 'MyShop' };
  const created = await create(resend);
  expect(created).toMatchObject({ resend_sms: 1, sms_text: 'Renew', sms_sender_name: 'MyShop' });
  const off = await create({ ...resend, status: false });
  expect(off).toMatchObject({ resend_sms: 0, sms_text: null, sms_sender_name: null });
  const unknown = await create({ ...resend, sms_sender_name: 'Nobody' });
  const status = async ({ task_id }: { task_id: number }) => {
    const { resend_sms, resend_sms_status } = await api.messaging.campaigns.get({ id: task_id });
    return [resend_sms, resend_sms_status];
  };
  expect(await status(off)).toEqual([false, null]);
  expect(await status(created)).toEqual([true, 0]);
  sandbox.clock.advance(hour);
  expect(await status(created)).toEqual([true, 1]);
  expect(await status(unknown)).toEqual([true, 4]);
  sandbox.clock.advance(hour);
  expect(await status(created)).toEqual([true, 2]);
  await expectRule(create({ status: true, sms_text: 'Renew' }), 'messaging-resend-sms');
  await expectRule(create({ status: true, sms_sender_name: 'MyShop' }), 'messaging-resend-sms');
});

test('checks an emulated campaign in full and does not store it [messaging-emulate]', async () => {
  const { api, sandbox } = start();
  const before = sandbox.snapshot().state;
  const { task_id, ...data } = await api.messaging.campaigns.create({ ...promo, emulate: true });
  expect(data).toMatchObject({ message: promo.message, send_date: '2026-11-04 12:00:00' });
  expect(sandbox.snapshot().state).toEqual(before);
  await expectChoice(api.messaging.campaigns.get({ id: task_id }), 'unknown-record', 404);
  const broken = { ...system, emulate: true, template_id: 701 };
  await expectRule(api.messaging.campaigns.create(broken), 'messaging-template-approved');
  await expectRule(
    api.messaging.campaigns.create({ ...promo, emulate: true, sender_id: 6 }),
    'messaging-sender-active',
  );
});

test('a rejected campaign changes nothing', async () => {
  const { api, sandbox } = start();
  const before = sandbox.snapshot().state;
  await expectRule(
    api.messaging.campaigns.create({ ...promo, additional: { image } }),
    'messaging-content-combinations',
  );
  await expectChoice(api.messaging.campaigns.create({ ...promo, recipients: [0] }), 'messaging-phone-range');
  expect(sandbox.snapshot().state).toEqual(before);
});

test('the response repeats the campaign in the types of responses', async () => {
  const { api } = start();
  const list = { ...promo, recipients: undefined, address_book: 4400, task_name: 'Renewal reminder' };
  expect(await api.messaging.campaigns.create({ ...list, send_date: '2026-11-05 10:00:00' })).toEqual({
    address_book_id: 4400,
    button_link: null,
    button_text: null,
    image_link: null,
    message: promo.message,
    message_live_time: '3600',
    message_type: 2,
    resend_sms: 0,
    send_date: '2026-11-05 10:00:00',
    sender_id: 5,
    sms_sender_name: null,
    sms_text: null,
    task_id: 100_001,
    task_name: 'Renewal reminder',
  });
  await expectChoice(api.messaging.campaigns.create({ ...list, address_book: 9 }), 'unknown-record', 404);
});

test('accepts phone numbers as integers or digits, and counts each once', async () => {
  const { api, sandbox } = start();
  const recipients = [15550100123, '15550100123', '15550100131'];
  const { task_id } = await api.messaging.campaigns.create({ ...promo, recipients });
  const listed = await api.messaging.campaigns.listRecipients({ id: task_id });
  expect(listed.recipients.map(({ phone }) => phone)).toEqual([15550100123, 15550100131]);
  const response = await send(sandbox, '/msgr', { ...promo, recipients: ['9'.repeat(20)] });
  expect(response.headers.get('x-sandbox-choice')).toBe('messaging-phone-range');
});
