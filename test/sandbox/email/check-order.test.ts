import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { marked } from '../marks.ts';
import { start, startAt } from '../support.ts';
import { head } from './examples.ts';

// Order of checks: shape, limits, state. Each test adds a problem, and the earliest check must reject.

test('checks an email from its shape to the state of the account', async () => {
  const because = async (fields: object) => {
    const email = { ...head, ...fields };
    const { rule, choices } = await marked(createSandbox({ startAt }), 'POST /smtp/emails', { email });
    return rule ?? choices[0];
  };
  const from = { email: 'other@example.com' };
  const template = { id: 799 };
  expect(await because({ from, template: { id: 700 } })).toBe('email-sender-addresses-shared');
  expect(await because({ from, template })).toBe('email-template-reference');
  expect(await because({ template, attachments_binary: { 'offer.pdf': '%' } })).toBe('email-base64');
  expect(await because({ template, to: [] })).toBe('email-address');
  expect(await because({ template, from: {} })).toBe('email-address');
  expect(await because({ template, to: [], text: 'Hello' })).toBe('email-body-or-template');
  expect(await because({ template, to: 'ann' })).toBe('request-shape');
});

test('checks the quota of resubscriptions after the shape and before the state', async () => {
  const { api } = start();
  const sender = 'sales@example.com';
  const ask = { email: 'ben.ito@example.com', sender };
  for (let count = 0; count < 5; count += 1) await api.email.unsubscribes.requestResubscription(ask);
  const { sandbox } = start();
  sandbox.state.email.settings.set(
    'resubscriptions',
    Array.from({ length: 5 }, () => startAt),
  );
  const because = async (fields: object) => {
    const { rule, choices } = await marked(sandbox, 'POST /smtp/resubscribe', { ...ask, ...fields });
    return rule ?? choices[0];
  };
  for (const fields of [{}, { email: 'nobody@example.com' }, { sender: 'other@example.com' }])
    expect(await because(fields)).toBe('email-resubscription-quota');
  expect(await because({ email: 'ben' })).toBe('email-address');
  expect(await because({ email: 7 })).toBe('request-shape');
});
