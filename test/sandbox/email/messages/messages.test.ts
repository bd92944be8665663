import { expect, test } from 'vitest';
import { send } from '../../raw.ts';
import { expectChoice, minute, start } from '../../support.ts';
import { head, own, sendTo } from '../examples.ts';

const client = { browser: 'Firefox', os: 'Linux', ip: '198.51.100.24' };
const click = { ...client, url: 'https://shop.example.com/renew', screen_resolution: '1920x1080' };

test('lists, counts and reads the messages of the story', async () => {
  const { api } = start();
  const { data } = await api.email.messages.list();
  expect(data.map(({ id, recipient, smtp_answer_code }) => [id, recipient, smtp_answer_code])).toEqual([
    ['msg-2026-0002', 'ben.ito@example.com', 550],
    ['msg-2026-0001', 'ann.kowal@example.com', 250],
  ]);
  expect(await api.email.messages.count()).toEqual({ total: 2 });
  expect(await api.email.messages.get({ id: 'msg-2026-0001' })).toEqual({
    id: 'msg-2026-0001',
    sender: 'sales@example.com',
    total_size: '2048',
    sender_ip: '192.0.2.10',
    used_ip: '192.0.2.10',
    smtp_answer_code: '250',
    smtp_answer_subcode: '2.0.0',
    smtp_answer_data: 'Message accepted',
    recipient: 'ann.kowal@example.com',
    subject: 'Your annual plan renewal',
    send_date: '2026-11-03 10:00:00',
    tracking: {
      click: 1,
      open: 1,
      link: [{ ...click, country: 'Ireland', action_date: '2026-11-03 10:21:00' }],
      client_info: [{ ...client, country: 'Ireland', action_date: '2026-11-03 10:20:00' }],
    },
  });
  await expectChoice(api.email.messages.get({ id: 'msg-2026-9999' }), 'unknown-record', 404);
});

test('omits the country only on request [email-country-off]', async () => {
  const { api } = start();
  const trackingWith = async (country?: string) => {
    const { data } = await api.email.messages.list({ recipient: 'ann.kowal@example.com', ...(country && { country }) });
    return data[0]?.tracking;
  };
  expect(await trackingWith('off')).toMatchObject({
    link: [{ ...click, action_date: '2026-11-03 10:21:00' }],
    client_info: [{ ...client, action_date: '2026-11-03 10:20:00' }],
  });
  expect(JSON.stringify(await trackingWith('off'))).not.toContain('country');
  for (const country of [undefined, 'on', 'false'])
    expect(await trackingWith(country)).toMatchObject({
      link: [{ country: 'Ireland' }],
      client_info: [{ country: 'Ireland' }],
    });
});

test('an email gets a reply, and is opened and clicked as the clock advances', async () => {
  const { api, sandbox } = start();
  const ids: string[] = [];
  for (const name of ['reader', 'unclicked', 'unopened', 'bounce']) ids.push(await sendTo(api, `${name}@example.com`));
  const after = async (time: number) => {
    sandbox.clock.advance(time);
    const records = await Promise.all(ids.map((id) => api.email.messages.get({ id })));
    return records.map(({ smtp_answer_code: code, tracking: { open, click: clicks } }) => `${code} ${open} ${clicks}`);
  };
  expect(await after(0)).toEqual(['250 0 0', '250 0 0', '250 0 0', '550 0 0']);
  expect(await after(minute)).toEqual(['250 1 0', '250 1 0', '250 0 0', '550 0 0']);
  expect(await after(minute)).toEqual(['250 1 1', '250 1 0', '250 0 0', '550 0 0']);
  const { id } = await api.email.messages.send({ ...own, html: '<p>No link</p>' });
  sandbox.clock.advance(2 * minute);
  expect((await api.email.messages.get({ id })).tracking).toMatchObject({ open: 1, click: 0, link: [] });
});

test('an email to several recipients is one message without a recipient', async () => {
  const { api } = start();
  const to = [{ email: 'ann.kowal@example.com' }, { email: 'cora@example.com' }];
  const { id } = await api.email.messages.send({ ...own, to, bcc: [{ email: 'Olena.Marsh@example.com' }] });
  expect(await api.email.messages.count()).toEqual({ total: 3 });
  expect((await api.email.messages.get({ id })).recipient).toBeNull();
  for (const recipient of ['cora@example.com', 'olena.marsh@example.com'])
    expect((await api.email.messages.list({ recipient })).data.map((found) => found.id)).toEqual([id]);
});

test('filters the list by date, sender and recipient, and pages it', async () => {
  const { api } = start();
  await api.email.senders.create({ email: 'tom.berg@example.com', name: 'Tom Berg' });
  const { id } = await api.email.messages.send({ ...own, from: { email: 'Tom.Berg@example.com' } });
  const list = async (query: object) => (await api.email.messages.list(query)).data.map((found) => found.id);
  const [first, second] = ['msg-2026-0001', 'msg-2026-0002'];
  expect(await list({ from: '2026-11-04' })).toEqual([id]);
  expect(await list({ to: '2026-11-03' })).toEqual([second, first]);
  expect(await list({ from: '2026-11-03', to: '2026-11-03' })).toEqual([second, first]);
  expect(await list({ from: '2026-11-03 10:00:00', to: '2026-11-03 10:00:00' })).toEqual([second, first]);
  expect(await list({ from: '2026-11-03 10:00:01', to: '2026-11-04 11:59:59' })).toEqual([]);
  expect(await list({ sender: 'tom.berg@EXAMPLE.com' })).toEqual([id]);
  expect(await list({ recipient: 'ann.kowal@example.com', sender: 'sales@example.com' })).toEqual([first]);
  expect(await list({ recipient: 'ann' })).toEqual([]);
  expect(await list({ limit: 1, offset: 1 })).toEqual([second]);
  expect(await list({ limit: 0, from: '', to: '', sender: '', recipient: '', country: '' })).toEqual([
    id,
    second,
    first,
  ]);
  for (const date of ['yesterday', '2026-02-30', '03.11.2026'])
    await expectChoice(api.email.messages.list({ from: date }), 'email-message-period');
  for (const query of [{ limit: -1 }, { offset: -1 }]) await expectChoice(api.email.messages.list(query), 'page-size');
});

test('looks up several messages in the order of the request, at most 500 IDs', async () => {
  const { api, sandbox } = start();
  const emails = ['msg-2026-0002', 'none', 'msg-2026-0001', 'msg-2026-0002'];
  expect(await api.email.messages.getMany({ emails })).toEqual([
    expect.objectContaining({ id: 'msg-2026-0002', total_size: 2048, smtp_answer_code: 550 }),
    expect.objectContaining({ id: 'msg-2026-0001', total_size: 2048, smtp_answer_code: 250 }),
  ]);
  const lookUp = (count: number) =>
    send(sandbox, 'POST /smtp/emails/info', { body: { emails: Array.from({ length: count }, (_, id) => `${id}`) } });
  expect((await lookUp(500)).status).toBe(200);
  const tooMany = await lookUp(501);
  expect([tooMany.status, tooMany.headers.get('x-sandbox-choice')]).toEqual([422, 'request-shape']);
});

test('delivers an email to an unsubscribed address, and marks this as a choice', async () => {
  const { sandbox } = start();
  const email = { ...head, to: [{ email: 'Ben.Ito@example.com' }], template: { id: 700 } };
  const { status, headers } = await send(sandbox, 'POST /smtp/emails', { body: { email } });
  expect([status, headers.get('x-sandbox-choice')]).toEqual([
    200,
    expect.stringContaining('email-unsubscribed-recipient'),
  ]);
});
