import type { Client, Email } from '../../../src/client/index.ts';

/** Fields of all emails in the tests. */
export const head = {
  subject: 'Your annual plan renewal',
  from: { name: 'Example Sales', email: 'sales@example.com' },
  to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
} satisfies Email.MessagesSendCommon;

export const html = '<p>Hello Ann,</p><p><a href="https://shop.example.com/renew">renew</a> now.</p>';
export const text = 'Hello Ann, renew now.';

/** An email with a body instead of a template. The client encodes the HTML. */
export const own = { ...head, html, text } satisfies Email.MessagesSendParams;

export const template = { id: 700, variables: { first_name: 'Ann', plan: 'Team' } };

/** Sends an email to an address and returns its ID. */
export async function sendTo(api: Client, email: string): Promise<string> {
  return (await api.email.messages.send({ ...own, to: [{ email }] })).id;
}
