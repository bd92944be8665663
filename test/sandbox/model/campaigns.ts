import fc from 'fast-check';
import { expect } from 'vitest';
import { unchecked } from '../support.ts';
import { any, type Group, step, text } from './step.ts';
import { addNew, attempt, firstOf, type Model, pick, type World } from './world.ts';

/** A phone number for each outcome of a message, and an invalid one. */
const phone = fc.nat(9).map((digit) => 15550100130 + digit);
const phones = fc.array(fc.oneof({ weight: 12, arbitrary: phone }, { weight: 1, arbitrary: fc.constant(-1) }), {
  maxLength: 4,
});

async function compare({ api, model }: World): Promise<void> {
  const { campaigns, blacklist } = api.messaging;
  const listed = await campaigns.list();
  expect(listed.data.map(({ id, name }) => ({ id, name }))).toEqual(
    [...model.campaigns].map(([id, { name }]) => ({ id, name })),
  );
  for (const [id, { phones: sent, blocked }] of [...model.campaigns].slice(-1)) {
    const { statistic } = await campaigns.get({ id });
    const { recipients } = await campaigns.listRecipients({ id });
    const statuses = new Map(recipients.map((recipient) => [Number(recipient.phone), recipient.status]));
    expect([...statuses.keys()]).toEqual(sent);
    for (const number of blocked) expect(statuses.get(number)).toBe('not delivered');
    expect(statistic.sent).toBe(sent.length);
    const { delivered, read, redirected, undelivered, errors } = statistic;
    expect(delivered + undelivered + errors).toBeLessThanOrEqual(sent.length);
    expect([delivered >= read, read >= redirected]).toEqual([true, true]);
  }
  const { data, total } = await blacklist.list();
  expect(total).toBe(model.blacklist.size);
  expect(data.map((entry) => [entry.phone, entry.description])).toEqual([...model.blacklist]);
}

const changeBlacklist = step(
  'add to the blacklist or remove from it',
  fc.record({ numbers: phones, description: text, adds: fc.boolean() }),
  async (world, { numbers, description, adds }) => {
    const { blacklist } = world.model;
    const named = new Set(numbers);
    const there = [...named].filter((number) => blacklist.has(number)).length;
    const against = firstOf(named.has(-1) && 'messaging-phone-range');
    if (!adds) {
      return attempt(world, {
        against,
        send: () => world.api.messaging.blacklist.remove({ phones: numbers }),
        accept: ({ deleted }) => {
          for (const number of named) blacklist.delete(number);
          expect(deleted).toBe(there);
        },
      });
    }
    return attempt(world, {
      against,
      send: () => world.api.messaging.blacklist.add({ phones: numbers, description }),
      accept: ({ counters }) => {
        for (const number of named) if (!blacklist.has(number)) blacklist.set(number, description);
        expect(counters).toEqual({ added: named.size - there, exists: there });
      },
    });
  },
  compare,
);

const createPromo = step(
  'create a promo campaign',
  fc.record({
    numbers: phones,
    list: fc.constantFrom(undefined, undefined, undefined, 4400, 4999),
    sender: fc.constantFrom(5, 5, 5, 6, 99),
    emulate: fc.integer({ min: 0, max: 3 }),
    name: text,
  }),
  async (world, { numbers, list, sender, emulate, name }) => {
    const { campaigns } = world.model;
    const recipients = audienceOf(world, list, numbers);
    await attempt(world, {
      against: firstOf(
        list === undefined && numbers.length === 0 && 'messaging-audience',
        list !== undefined && numbers.length > 0 && 'messaging-audience',
        numbers.includes(-1) && 'messaging-phone-range',
        sender !== 5 && 'messaging-sender-active',
        list === 4999 && 'unknown-record',
      ),
      send: () =>
        world.api.messaging.campaigns.create(
          unchecked({
            sender_id: sender,
            message_type: 2,
            message_live_time: 3_600,
            send_date: 'now',
            message: 'Hello!',
            task_name: name,
            recipients: numbers,
            emulate: emulate === 0,
            ...(list !== undefined && { address_book: list }),
          }),
        ),
      accept: (data) => {
        expect(data).toMatchObject({ task_name: name, sender_id: sender, message: 'Hello!', message_type: 2 });
        if (emulate > 0)
          addNew(campaigns, data.task_id, { name, phones: recipients, blocked: blockedOf(world, recipients) });
      },
    });
  },
  compare,
);

function audienceOf({ sandbox }: World, list: number | undefined, numbers: number[]): number[] {
  return list === undefined
    ? [...new Set(numbers)]
    : [...(sandbox.state.messaging.mailingLists.get(list)?.phones ?? [])];
}

function blockedOf({ model: { blacklist } }: World, numbers: number[]): Set<number> {
  return new Set(numbers.filter((number) => blacklist.has(number)));
}

const createSystem = step(
  'create a system campaign',
  fc.record({
    numbers: fc.array(phone, { minLength: 1, maxLength: 2 }),
    template: fc.constantFrom(700, 700, 700, 701, 702, 799, undefined),
    message: fc.constantFrom(null, null, null, 'A text'),
    plan: fc.constantFrom('Team', 'Team', '', 'https://shop.example.com', 'x'.repeat(126)),
  }),
  async (world, { numbers, template, message, plan }) => {
    const hasTemplate = template !== undefined;
    await attempt(world, {
      against: firstOf(
        numbers.length > 1 && 'messaging-system-single-recipient',
        hasTemplate && message !== null && 'messaging-template-excludes-message',
        !hasTemplate && (message === null ? 'messaging-template-required' : 'messaging-system-text-ended'),
        template === 799 && 'messaging-template-required',
        template === 701 && 'messaging-template-approved',
        template === 702 && 'messaging-template-same-sender',
        plan === '' && 'messaging-template-variables',
        plan !== 'Team' && 'messaging-variable-value',
      ),
      send: () =>
        world.api.messaging.campaigns.create({
          sender_id: 5,
          message_type: 3,
          message_live_time: 3_600,
          send_date: 'now',
          task_name: 'Contract ready',
          recipients: numbers,
          message,
          variables: { name: 'Ann', plan },
          ...(hasTemplate && { template_id: template }),
        }),
      accept: (data) => {
        expect(data).toMatchObject({ task_name: 'Contract ready', message_type: 3 });
        const entry = { name: data.task_name, phones: numbers, blocked: blockedOf(world, numbers) };
        addNew(world.model.campaigns, data.task_id, entry);
      },
    });
  },
  compare,
);

const readCampaign = step(
  'read a campaign',
  any,
  async (world, of) => {
    const id = pick(world.model.campaigns.keys(), of);
    await attempt(world, {
      against: firstOf(!world.model.campaigns.has(id) && 'unknown-record'),
      send: () => world.api.messaging.campaigns.get({ id }),
      accept: (response) => expect(response).toMatchObject({ id, name: nameOf(world.model, id) }),
    });
  },
  compare,
);

function nameOf({ campaigns }: Model, id: number): string {
  return campaigns.get(id)?.name ?? '';
}

export const campaignSteps: Group = {
  steps: [changeBlacklist, changeBlacklist, createPromo, createPromo, createSystem, readCampaign],
  compare,
};
