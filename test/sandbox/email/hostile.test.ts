import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { marked } from '../marks.ts';
import { send } from '../raw.ts';
import { day, expectRule, start, startAt } from '../support.ts';
import { head, own, sendTo, text } from './examples.ts';

const html = btoa('<p>Hello</p>');

describe('rejects a file whose content is not text, even one called __proto__', () => {
  test.each(
    ['attachments', 'attachments_binary'].flatMap((field) => ['null', '7', '{}', '[]'].map((value) => [field, value])),
  )('%s: %s', async (field, value) => {
    const sandbox = createSandbox({ startAt });
    const before = sandbox.snapshot().state;
    const email = JSON.stringify({ ...head, html, text, [field]: { a: 'YQ==' } });
    const body = `{"email":${email.replace('"a":', `"__proto__":${value},"a":`)}}`;
    const { status, choices, body: response } = await marked(sandbox, 'POST /smtp/emails', body);
    expect([status, choices]).toEqual([422, ['request-shape']]);
    expect(response).toMatchObject({ violations: [{ location: ['body', 'email', field, '__proto__'] }] });
    expect(sandbox.snapshot().state).toEqual(before);
  });
});

test('treats a variable called __proto__ like any other', async () => {
  const { sandbox } = start();
  sandbox.state.email.templates.set('704', { id: '704', realId: '4', html: '{{__proto__}} {{toString}}', text: null });
  const body = `{"email":${JSON.stringify({ ...head, template: { id: 704 } }).replace(
    '"id":704',
    '"id":704,"variables":{"__proto__":"Ann"}',
  )}}`;
  expect((await marked(sandbox, 'POST /smtp/emails', body)).status).toBe(200);
  expect([...sandbox.state.email.messages.values()].at(-1)?.email.html).toBe('Ann ');
});

test('a template can name its variables in any language', async () => {
  const { api, sandbox } = start();
  sandbox.state.email.templates.set('704', { id: '704', realId: '4', html: 'Cześć {{ imię }}', text: null });
  await api.email.messages.send({ ...head, template: { id: 704, variables: { imię: 'Ann' } } });
  expect([...sandbox.state.email.messages.values()].at(-1)?.email.html).toBe('Cześć Ann');
});

test('treats blank html as missing [email-body-or-template]', async () => {
  const sandbox = createSandbox({ startAt });
  const post = (email: object) => marked(sandbox, 'POST /smtp/emails', { email: { ...head, ...email } });
  for (const blank of [' ', '\n', '   '])
    expect((await post({ html: blank, text })).rule).toBe('email-body-or-template');
  const beside = await post({ html: ' ', template: { id: 700 } });
  expect([beside.status, beside.choices.includes('email-content-empty')]).toEqual([200, true]);
});

test.each(['YWJjZ', '_-8=', 'YQ===', 'Y=Q=', '<p>'])('rejects html in broken Base64: %s', async (broken) => {
  const email = { ...head, html: broken, text };
  const { status, choices } = await marked(createSandbox({ startAt }), 'POST /smtp/emails', { email });
  expect([status, choices]).toEqual([422, ['email-base64']]);
});

test('lists a bounce until the last millisecond of the 24 hours [email-bounce-window]', async () => {
  const { api, sandbox } = start();
  await sendTo(api, 'bounce@example.com');
  sandbox.clock.advance(day - 1);
  expect([(await api.email.bounces.list()).data.length, await api.email.bounces.count()]).toEqual([1, { total: 1 }]);
  sandbox.clock.advance(1);
  expect([(await api.email.bounces.list()).data.length, await api.email.bounces.count()]).toEqual([0, { total: 0 }]);
});

test('unsubscribing, sending, resubscribing and removing do not affect each other', async () => {
  const { api, sandbox } = start();
  const email = 'cora@example.com';
  const ask = () => api.email.unsubscribes.requestResubscription({ email, sender: own.from.email });
  await api.email.unsubscribes.add({ emails: [{ email }] });
  await sendTo(api, email);
  for (let count = 0; count < 5; count += 1) await ask();
  await expectRule(ask(), 'email-resubscription-quota', 429);
  expect((await api.email.unsubscribes.list()).data).toHaveLength(2);
  await api.email.unsubscribes.remove({ emails: [email] });
  sandbox.clock.advance(day);
  expect((await api.email.unsubscribes.list()).data).toHaveLength(1);
  // Six emails to Cora, besides the two of the story.
  expect(await api.email.messages.count()).toEqual({ total: 8 });
  expect(await api.email.messages.list({ limit: 3 }).toArray({ max: 100 })).toHaveLength(8);
});

test('lists of the seed are newest first, like later ones', async () => {
  const { api } = start({ seed: 100 });
  const sent = (await api.email.messages.list({ limit: 200 })).data.map(({ send_date }) => send_date);
  expect(sent).toHaveLength(102);
  expect(sent).toEqual(sent.toSorted().reverse());
  const { data } = await api.email.unsubscribes.list({ limit: 200 });
  expect(data.map(({ date }) => date)).toEqual(
    data
      .map(({ date }) => date)
      .toSorted()
      .reverse(),
  );
});

test.each([
  'GET /smtp/emails/',
  'GET //smtp//emails//total',
  'GET /smtp/ips?limit=x&__proto__=1',
  'DELETE /smtp/unsubscribe/',
])('responds to %s like the documented path', async (request) => {
  expect((await send(createSandbox({ startAt }), request)).status).toBe(200);
});
