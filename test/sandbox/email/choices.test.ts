import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { choicesOf } from '../marks.ts';
import { start, startAt } from '../support.ts';
import { head, own, sendTo, text } from './examples.ts';

// A reply names the choices that it depends on, and no others.

const record = ['email-delivery', 'email-ips', 'email-message-record', 'email-message-size', 'utc-dates'];
const sender = 'sales@example.com';

describe('a list', () => {
  test('without entries is shaped by no choice', async () => {
    const sandbox = createSandbox({ seed: false, startAt });
    for (const path of ['/smtp/emails', '/smtp/unsubscribe', '/smtp/senders', '/v2/email-service/smtp/sender_domains'])
      expect(await choicesOf(sandbox, `GET ${path}`), path).toEqual([]);
  });

  test('names order and size of its page where another would differ', async () => {
    const { sandbox } = start();
    expect(await choicesOf(sandbox, 'GET /smtp/emails')).toContain('email-list-order');
    expect(await choicesOf(sandbox, 'GET /smtp/emails')).not.toContain('email-page-size');
    expect(await choicesOf(sandbox, 'GET /smtp/emails?limit=0')).toContain('email-page-size');
    const one = await choicesOf(sandbox, 'GET /smtp/emails?recipient=ben.ito@example.com');
    expect(one).toEqual([...record, 'email-message-addresses'].sort());
    const many = createSandbox({ seed: 200, startAt });
    expect(await choicesOf(many, 'GET /smtp/emails')).toContain('email-page-size');
    expect(await choicesOf(many, 'GET /smtp/emails?limit=100')).not.toContain('email-page-size');
  });

  test('names what an empty value means', async () => {
    const { sandbox } = start();
    for (const name of ['from', 'to', 'sender', 'recipient', 'country'])
      expect(await choicesOf(sandbox, `GET /smtp/emails?limit=5&${name}=`)).toContain('email-empty-filter');
    expect(await choicesOf(sandbox, 'GET /smtp/emails?country=off')).not.toContain('email-empty-filter');
  });

  test('of unsubscribed addresses names how they came there', async () => {
    const { sandbox } = start();
    expect(await choicesOf(sandbox, 'GET /smtp/unsubscribe')).toEqual([
      'email-dates-format',
      'email-unsubscribe-entry',
      'utc-dates',
    ]);
    expect(await choicesOf(sandbox, 'GET /smtp/unsubscribe?date=2026-11-01')).toEqual(['utc-dates']);
  });

  test('of domains names what a new one is like', async () => {
    const { sandbox } = start();
    const list = () => choicesOf(sandbox, 'GET /v2/email-service/smtp/sender_domains');
    expect(await list()).toEqual(['email-dates-format', 'utc-dates']);
    await choicesOf(sandbox, 'POST /v2/email-service/smtp/sender_domains/example.org');
    expect(await list()).toEqual(['email-dates-format', 'email-list-order', 'email-new-domain', 'utc-dates']);
  });
});

test('the format of a date is documented for the sending, and a choice for what follows', async () => {
  const { sandbox, api } = start();
  const unopened = await sendTo(api, 'unopened@example.com');
  expect(await choicesOf(sandbox, `GET /smtp/emails/${unopened}`)).toEqual(record);
  expect(await choicesOf(sandbox, 'GET /smtp/emails/msg-2026-0001')).toContain('email-dates-format');
});

test('a confirmation email to an unsubscribed address is documented, any other one a choice', async () => {
  const { sandbox } = start();
  const body = { email: 'ben.ito@example.com', sender };
  expect(await choicesOf(sandbox, 'POST /smtp/resubscribe', body)).toEqual([
    'email-confirmation',
    'email-delivery',
    'email-message-record',
  ]);
  const email = { ...head, html: btoa('<p>Hello</p>'), text, to: [{ email: 'ben.ito@example.com' }] };
  expect(await choicesOf(sandbox, 'POST /smtp/emails', { email })).toContain('email-unsubscribed-recipient');
});

test('the count of bounces names what makes an email bounce', async () => {
  const { sandbox, api } = start();
  expect(await choicesOf(sandbox, 'GET /smtp/bounces/day/total')).toEqual(['email-bounce-time']);
  await sendTo(api, 'bounce@example.com');
  expect(await choicesOf(sandbox, 'GET /smtp/bounces/day/total')).toEqual(['email-bounce-time', 'email-delivery']);
});

test('a template names how it is filled in if it has variables or gets some', async () => {
  const { sandbox } = start();
  const { templates } = sandbox.state.email;
  templates.set('704', { id: '704', realId: '81704', html: '<p>Hello</p>', text: 'Hello' });
  const sendTemplate = (template: object) => choicesOf(sandbox, 'POST /smtp/emails', { email: { ...head, template } });
  expect(await sendTemplate({ id: 704 })).toEqual(['email-delivery', 'email-message-record']);
  expect(await sendTemplate({ id: 704, variables: { more: 1 } })).toContain('email-template-variables');
  expect(await sendTemplate({ id: 703 })).toContain('email-template-variables');
});

test('what the documents say of an email is marked as no choice', async () => {
  const { sandbox } = start();
  const email = { ...own, html: btoa(own.html) };
  expect(await choicesOf(sandbox, 'POST /smtp/emails', { email })).toEqual(['email-delivery', 'email-message-record']);
  expect(await choicesOf(sandbox, 'GET /smtp/ips')).toEqual([]);
  expect(await choicesOf(sandbox, 'GET /smtp/senders')).toEqual([]);
});
