import fc from 'fast-check';
import { expect } from 'vitest';
import { emailReference } from '../../../generated/email/reference.ts';
import { day, unchecked } from '../support.ts';
import { any, type Group, step, text } from './step.ts';
import { addNew, attempt, firstOf, type World } from './world.ts';

const address = fc.constantFrom('ann@example.com', 'Ann@example.com', 'ben@example.com', 'bounce@example.com', '');
/** The first is a sender address of the account. */
const senders = ['sales@example.com', 'sales@example.com', 'sales@example.com', 'other@example.com'];

async function compare({ api, model, sandbox }: World): Promise<void> {
  const { messages, bounces, unsubscribes } = api.email;
  // Newest first.
  const sent = [...model.emails].map(([id, { recipient, subject }]) => ({ id, recipient, subject })).reverse();
  const listed = (await messages.list({ limit: 10 })).data;
  expect(listed.map(({ id, recipient, subject }) => ({ id, recipient, subject }))).toEqual(sent.slice(0, 10));
  expect(await messages.count()).toMatchObject({ total: sent.length });
  const [last] = sent;
  if (last) expect(await messages.get({ id: last.id })).toMatchObject(last);
  const now = sandbox.clock.now();
  const bounced = [...model.emails].filter(
    ([, { recipient, sentAt }]) => recipient.startsWith('bounce') && now - sentAt < day,
  );
  expect(await bounces.count()).toMatchObject({ total: bounced.length });
  expect((await bounces.list()).data.map(({ id }) => id)).toEqual(bounced.map(([id]) => id).reverse());
  const { data } = await unsubscribes.list();
  expect(data.map(({ email }) => email)).toEqual([...model.unsubscribed.values()].reverse());
}

const send = step(
  'send an email',
  fc.record({
    recipient: address,
    sender: fc.constantFrom(...senders),
    subject: text,
    content: fc.constantFrom('both', 'both', 'html', 'text', 'template', 'all'),
  }),
  async (world, { recipient, sender, subject, content }) => {
    const { emails } = world.model;
    const [html, plain] = ['<p>Hello</p>', 'Hello'];
    const sentAt = world.sandbox.clock.now();
    await attempt(world, {
      against: firstOf(
        !['both', 'template'].includes(content) && 'email-body-or-template',
        recipient === '' && 'email-address',
        sender !== senders[0] && 'email-sender-addresses-shared',
      ),
      send: () =>
        world.api.email.messages.send(
          unchecked({
            subject,
            from: { email: sender },
            to: [{ email: recipient }],
            ...(['both', 'html', 'all'].includes(content) && { html }),
            ...(['both', 'text', 'all'].includes(content) && { text: plain }),
            ...(['template', 'all'].includes(content) && { template: { id: 700 } }),
          }),
        ),
      accept: ({ id }) => addNew(emails, id, { recipient, subject, sentAt }),
    });
  },
  compare,
);

const read = step(
  'read an email',
  any,
  async (world, of) => {
    const ids = [...world.model.emails.keys()];
    const id = of % 10 === 9 ? 'none' : (ids[Math.floor(of / 10) % ids.length] ?? 'none');
    const { recipient, subject } = world.model.emails.get(id) ?? {};
    await attempt(world, {
      against: firstOf(id === 'none' && 'unknown-record'),
      send: () => world.api.email.messages.get({ id }),
      accept: (response) => expect(response).toMatchObject({ id, recipient, subject }),
    });
  },
  compare,
);

const changeUnsubscribes = step(
  'unsubscribe addresses or take them off the list',
  fc.record({ addresses: fc.array(address, { maxLength: 3 }), adds: fc.boolean() }),
  async (world, { addresses, adds }) => {
    const { unsubscribed } = world.model;
    const { unsubscribes } = world.api.email;
    if (!adds) {
      return attempt(world, {
        send: () => unsubscribes.remove({ emails: addresses }),
        accept: () => {
          for (const email of addresses) unsubscribed.delete(email.toLowerCase());
        },
      });
    }
    return attempt(world, {
      against: firstOf(addresses.includes('') && 'email-address'),
      send: () => unsubscribes.add({ emails: addresses.map((email) => ({ email, comment: 'Asked for it' })) }),
      accept: () => {
        for (const email of addresses) {
          if (!unsubscribed.has(email.toLowerCase())) unsubscribed.set(email.toLowerCase(), email);
        }
      },
    });
  },
  compare,
);

const resubscribe = step(
  'ask an address to resubscribe',
  fc.tuple(any, fc.constantFrom(...senders)),
  async (world, [of, sender]) => {
    const { emails, unsubscribed, resubscriptions } = world.model;
    const listed = [...unsubscribed.values()];
    const email = of % 10 === 9 ? '' : (listed[of % listed.length] ?? 'ben@example.com');
    const now = world.sandbox.clock.now();
    const { requests, seconds } = emailReference.requestEmailResubscription.quota;
    const recent = resubscriptions.filter((at) => at > now - seconds * 1_000);
    await attempt(world, {
      against: firstOf(
        email === '' && 'email-address',
        recent.length >= requests && 'email-resubscription-quota',
        sender !== senders[0] && 'email-sender-addresses-shared',
        !unsubscribed.has(email.toLowerCase()) && 'email-resubscribe-unlisted',
      ),
      send: () => world.api.email.unsubscribes.requestResubscription({ email, sender }),
      accept: ({ id }) => {
        resubscriptions.push(now);
        addNew(emails, id, {
          recipient: email,
          subject: world.sandbox.state.email.messages.get(id)?.email.subject ?? '',
          sentAt: now,
        });
      },
    });
  },
  compare,
);

export const emailSteps: Group = {
  first: [changeUnsubscribes, changeUnsubscribes],
  steps: [send, send, read, changeUnsubscribes, resubscribe, resubscribe, resubscribe, resubscribe],
  compare,
};
