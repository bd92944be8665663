import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { choicesOf } from '../marks.ts';
import { start, startAt } from '../support.ts';
import { head, own, sendTo, text } from './examples.ts';

// A response names exactly the choices that it depends on.

const record = ['email-delivery', 'email-ips', 'email-message-record', 'email-message-size', 'utc-dates'];
const sender = 'sales@example.com';

describe('a list', () => {
  test('names no choice if it is empty', async () => {
    const sandbox = createSandbox({ seed: false, startAt });
    for (const path of ['/smtp/emails', '/smtp/unsubscribe', '/smtp/senders', '/v2/email-service/smtp/sender_domains'])
      expect(await choicesOf(sandbox, `GET ${path}`), path).toEqual([]);
  });

  test('names the order and page size if others would change it', async () => {
    const { sandbox } = start();
    expect(await choicesOf(sandbox, 'GET /smtp/emails')).toContain('email-list-order');
    expect(await choicesOf(sandbox, 'GET /smtp/emails')).not.toContain('page-size');
    expect(await choicesOf(sandbox, 'GET /smtp/emails?limit=0')).toContain('page-size');
    const one = await choicesOf(sandbox, 'GET /smtp/emails?recipient=ben.ito@example.com');
    expect(one).toEqual([...record, 'email-message-addresses'].sort());
    const many = createSandbox({ seed: 200, startAt });
    expect(await choicesOf(many, 'GET /smtp/emails')).toContain('page-size');
    expect(await choicesOf(many, 'GET /smtp/emails?limit=100')).not.toContain('page-size');
  });

  test('names the meaning of an empty value', async () => {
    const { sandbox } = start();
    for (const name of ['from', 'to', 'sender', 'recipient', 'country'])
      expect(await choicesOf(sandbox, `GET /smtp/emails?limit=5&${name}=`)).toContain('email-empty-filter');
    expect(await choicesOf(sandbox, 'GET /smtp/emails?country=off')).not.toContain('email-empty-filter');
  });

  test('of unsubscribed addresses names the choice of how they got there', async () => {
    const { sandbox } = start();
    expect(await choicesOf(sandbox, 'GET /smtp/unsubscribe')).toEqual([
      'dates-format',
      'email-unsubscribe-entry',
      'utc-dates',
    ]);
    expect(await choicesOf(sandbox, 'GET /smtp/unsubscribe?date=2026-11-01')).toEqual(['utc-dates']);
  });

  test('of domains names the initial state of a new one', async () => {
    const { sandbox } = start();
    const list = () => choicesOf(sandbox, 'GET /v2/email-service/smtp/sender_domains');
    expect(await list()).toEqual(['dates-format', 'utc-dates']);
    await choicesOf(sandbox, 'POST /v2/email-service/smtp/sender_domains/example.org');
    expect(await list()).toEqual(['dates-format', 'email-list-order', 'email-new-domain', 'utc-dates']);
  });
});

test('the date format is documented for sending, and a choice elsewhere', async () => {
  const { sandbox, api } = start();
  const unopened = await sendTo(api, 'unopened@example.com');
  expect(await choicesOf(sandbox, `GET /smtp/emails/${unopened}`)).toEqual(record);
  expect(await choicesOf(sandbox, 'GET /smtp/emails/msg-2026-0001')).toContain('dates-format');
});

test('a confirmation email to an unsubscribed address is documented, any other is a choice', async () => {
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

test('the count of bounces names the choice of when an email bounces', async () => {
  const { sandbox, api } = start();
  expect(await choicesOf(sandbox, 'GET /smtp/bounces/day/total')).toEqual(['email-bounce-time']);
  await sendTo(api, 'bounce@example.com');
  expect(await choicesOf(sandbox, 'GET /smtp/bounces/day/total')).toEqual(['email-bounce-time', 'email-delivery']);
});

test('a template names how variables are filled in, if it has or gets any', async () => {
  const { sandbox } = start();
  const { templates } = sandbox.state.email;
  templates.set('704', { id: '704', realId: '81704', html: '<p>Hello</p>', text: 'Hello' });
  const sendTemplate = (template: object) => choicesOf(sandbox, 'POST /smtp/emails', { email: { ...head, template } });
  expect(await sendTemplate({ id: 704 })).toEqual(['email-delivery', 'email-message-record']);
  expect(await sendTemplate({ id: 704, variables: { more: 1 } })).toContain('email-template-variables');
  expect(await sendTemplate({ id: 703 })).toContain('email-template-variables');
});

test('marks no choice for documented facts about an email', async () => {
  const { sandbox } = start();
  const email = { ...own, html: btoa(own.html) };
  expect(await choicesOf(sandbox, 'POST /smtp/emails', { email })).toEqual(['email-delivery', 'email-message-record']);
  expect(await choicesOf(sandbox, 'GET /smtp/ips')).toEqual([]);
  expect(await choicesOf(sandbox, 'GET /smtp/senders')).toEqual([]);
});
