import fc from 'fast-check';
import { expect } from 'vitest';
import { shownDeal } from './deals.ts';
import { any, type Group, step, text } from './step.ts';
import { definitionOf, fits, shownValue, type, value } from './values.ts';
import { addNew, attempt, type ContactModel, firstOf, type Model, pick, type World } from './world.ts';

/** A contact as replies show it. */
function shownContact({ tags, contactAttributes }: Model, contact: ContactModel) {
  return {
    ...contact.record,
    phones: [...contact.phones].map(([id, phone]) => ({ id, phone })),
    emails: [...contact.emails].map(([id, email]) => ({ id, ...email })),
    messengers: [],
    tags: [...contact.tags].map((id) => tags.get(id)),
    attributes: [...contact.values].map(([id, given]) => shownValue(contactAttributes.get(id) ?? { id }, given)),
  };
}

async function compare({ api, model }: World): Promise<void> {
  const { contacts, tags, contactAttributes } = api.crm;
  const { data, meta } = await contacts.list();
  expect(data).toEqual([...model.contacts.values()].map((contact) => shownContact(model, contact)));
  expect(meta).toMatchObject({ total: model.contacts.size });
  expect(await tags.list()).toEqual([...model.tags.values()]);
  expect(await contactAttributes.list()).toEqual([...model.contactAttributes.values()]);
  for (const [contactId, contact] of [...model.contacts].slice(-1)) {
    expect(await contacts.get({ contactId })).toEqual(shownContact(model, contact));
    const linked = [...model.deals.values()].filter((deal) => deal.contacts.has(contactId));
    const shown = linked.map((deal) => shownDeal(model, deal));
    const deals = await contacts.listDeals({ contactId });
    expect(deals).toHaveLength(shown.length);
    expect(deals).toEqual(expect.arrayContaining(shown));
  }
}

function find({ model }: World, number: number): { contactId: number; contact: ContactModel | undefined } {
  const contactId = pick(model.contacts.keys(), number);
  return { contactId, contact: model.contacts.get(contactId) };
}

const createContact = step(
  'create a contact',
  fc.tuple(text, fc.constantFrom(77, 77, 77, 78)),
  async (world, [firstName, responsibleId]) =>
    attempt(world, {
      against: firstOf(responsibleId === 78 && 'users-are-assignable'),
      send: () => world.api.crm.contacts.create({ firstName, responsibleId }),
      accept: (reply) => {
        const record = { id: reply.id, firstName, responsibleId };
        const lists = {
          phones: new Map(),
          emails: new Map(),
          notes: new Map(),
          tags: new Set<number>(),
          values: new Map(),
        };
        addNew(world.model.contacts, reply.id, { record, ...lists });
        expect(reply).toEqual(shownContact(world.model, { record, ...lists }));
      },
    }),
  compare,
);

const changeContact = step(
  'rename or delete a contact',
  fc.record({ of: any, firstName: text, deletes: fc.integer({ min: 0, max: 2 }) }),
  async (world, { of, firstName, deletes }) => {
    const { contactId, contact } = find(world, of);
    const { contacts } = world.api.crm;
    await attempt(world, {
      against: firstOf(!contact && 'unknown-record'),
      send: async () =>
        deletes === 0 ? contacts.delete({ contactId }) : contacts.update({ contactId, firstName, responsibleId: 77 }),
      accept: () => {
        if (deletes > 0 && contact) contact.record.firstName = firstName;
        if (deletes > 0) return;
        world.model.contacts.delete(contactId);
        for (const deal of world.model.deals.values()) deal.contacts.delete(contactId);
      },
    });
  },
  compare,
);

const changePhone = step(
  'add, change or delete a phone',
  fc.record({ of: any, at: any, digits: fc.nat(999), act: fc.constantFrom('create', 'create', 'update', 'delete') }),
  async (world, { of, at, digits, act }) => {
    const { contactId, contact } = find(world, of);
    const phoneId = pick(contact?.phones.keys() ?? [], at);
    const phone = `+15550100${digits}`;
    const { phones } = world.api.crm.contacts;
    const isThere = act === 'create' ? contact !== undefined : contact?.phones.has(phoneId);
    await attempt(world, {
      against: firstOf(!isThere && 'unknown-record'),
      send: async () => {
        if (act === 'create') return phones.create({ contactId, phone });
        if (act === 'update') return phones.update({ contactId, phoneId, phone });
        return phones.delete({ contactId, phoneId });
      },
      accept: (reply) => {
        if (!reply) contact?.phones.delete(phoneId);
        else contact?.phones.set(reply.id, phone);
        if (reply) expect(reply).toEqual({ id: act === 'create' ? reply.id : phoneId, phone });
      },
    });
  },
  compare,
);

const addEmails = step(
  'add emails to a contact',
  fc.tuple(
    any,
    fc.array(fc.record({ email: fc.constantFrom('ann@example.com', 'ben@example.com'), isMain: fc.boolean() }), {
      maxLength: 3,
    }),
  ),
  async (world, [of, emails]) => {
    const { contactId, contact } = find(world, of);
    await attempt(world, {
      against: firstOf(!contact && 'unknown-record'),
      send: () => world.api.crm.contacts.emails.create({ contactId, emails }),
      accept: (added) => {
        expect(added.map(({ email }) => email)).toEqual(emails.map(({ email }) => email));
        const last = emails.findLastIndex(({ isMain }) => isMain);
        if (last >= 0) for (const email of contact?.emails.values() ?? []) email.isMain = false;
        for (const [index, { id, email = '' }] of added.entries()) {
          if (contact) addNew(contact.emails, id, { email, isMain: index === last });
        }
      },
    });
  },
  compare,
);

const writeNote = step(
  'write, change or delete a note on a contact',
  fc.record({ of: any, note: any, message: text, act: fc.constantFrom('create', 'update', 'delete') }),
  async (world, { of, note, message, act }) => {
    const { contactId, contact } = find(world, of);
    const commentId = pick(contact?.notes.keys() ?? [], note);
    const { comments } = world.api.crm.contacts;
    const isThere = act === 'create' ? contact !== undefined : contact?.notes.has(commentId);
    await attempt(world, {
      against: firstOf(!isThere && 'unknown-record'),
      send: async () => {
        if (act === 'create') return comments.create({ contactId, message });
        if (act === 'update') return comments.update({ contactId, commentId, message });
        return comments.delete({ contactId, commentId });
      },
      accept: (reply) => {
        if (!reply) contact?.notes.delete(commentId);
        else contact?.notes.set(reply.id, message);
        // No operation lists them: what is stored is looked at.
        const stored = world.sandbox.state.crm.contacts.get(contactId)?.notes ?? new Map();
        expect([...stored.values()]).toEqual(
          [...(contact?.notes ?? [])].map(([id, written]) => ({ id, message: written })),
        );
      },
    });
  },
  compare,
);

const changeTag = step(
  'create, rename or delete a tag',
  fc.record({ of: any, name: text, act: fc.constantFrom('create', 'create', 'update', 'delete') }),
  async (world, { of, name, act }) => {
    const tagId = pick(world.model.tags.keys(), of);
    const { tags } = world.api.crm;
    await attempt(world, {
      against: firstOf(act !== 'create' && !world.model.tags.has(tagId) && 'unknown-record'),
      send: async () => {
        if (act === 'create') return tags.create({ name });
        return act === 'update' ? tags.update({ tagId, name }) : tags.delete({ tagId });
      },
      accept: (reply) => {
        if (reply) {
          expect(reply).toEqual({ id: act === 'create' ? reply.id : tagId, name });
          world.model.tags.set(reply.id, reply);
          return;
        }
        world.model.tags.delete(tagId);
        for (const contact of world.model.contacts.values()) contact.tags.delete(tagId);
      },
    });
  },
  compare,
);

const assignTag = step(
  'assign or take off a tag',
  fc.record({ of: any, tag: any, assigns: fc.boolean() }),
  async (world, { of, tag, assigns }) => {
    const { contactId, contact } = find(world, of);
    const tagId = pick(world.model.tags.keys(), tag);
    const { tags } = world.api.crm;
    await attempt(world, {
      against: firstOf(
        !(contact && world.model.tags.has(tagId)) && 'unknown-record',
        !assigns && !contact?.tags.has(tagId) && 'tag-not-borne',
      ),
      send: async () => (assigns ? tags.assign({ contactId, tagId }) : tags.unassign({ contactId, tagId })),
      accept: () => (assigns ? contact?.tags.add(tagId) : contact?.tags.delete(tagId)),
    });
  },
  compare,
);

const changeAttribute = step(
  'define or delete a contact attribute',
  fc.record({ of: any, chosen: type, deletes: fc.integer({ min: 0, max: 2 }) }),
  async (world, { of, chosen, deletes }) => {
    const { contactAttributes, contacts } = world.model;
    const attributeId = pick(contactAttributes.keys(), of);
    const { sent, shown } = definitionOf('Interest', chosen);
    if (deletes > 0) {
      return attempt(world, {
        send: () => world.api.crm.contactAttributes.create(sent),
        accept: (record) => {
          expect(record).toEqual({ id: record.id, ...shown });
          addNew(contactAttributes, record.id, record);
        },
      });
    }
    return attempt(world, {
      against: firstOf(!contactAttributes.has(attributeId) && 'unknown-record'),
      send: () => world.api.crm.contactAttributes.delete({ attributeId }),
      accept: () => {
        contactAttributes.delete(attributeId);
        for (const contact of contacts.values()) contact.values.delete(attributeId);
      },
    });
  },
  compare,
);

const setValue = step(
  'set or delete a value of a contact',
  fc.record({ of: any, attribute: any, given: value, sets: fc.boolean() }),
  async (world, { of, attribute, given, sets }) => {
    const { contactId, contact } = find(world, of);
    const attributeId = pick(world.model.contactAttributes.keys(), attribute);
    const definition = world.model.contactAttributes.get(attributeId);
    const { attributes } = world.api.crm.contacts;
    if (!sets) {
      return attempt(world, {
        against: firstOf(!contact?.values.has(attributeId) && 'unknown-record'),
        send: () => attributes.delete({ contactId, attributeId }),
        accept: () => contact?.values.delete(attributeId),
      });
    }
    return attempt(world, {
      against: firstOf(
        !contact && 'unknown-record',
        !definition && 'unknown-reference',
        definition && !fits(definition, given) && 'attribute-value-format',
      ),
      send: () => attributes.create({ contactId, attributeId, value: given }),
      accept: (reply) => {
        contact?.values.set(attributeId, given);
        expect(reply).toEqual(shownValue(definition ?? { id: attributeId }, given));
      },
    });
  },
  compare,
);

export const contactSteps: Group = {
  first: [createContact, createContact, changeTag, changeAttribute],
  steps: [
    ...[createContact, createContact, changeContact, changePhone, addEmails, writeNote],
    ...[changeTag, assignTag, assignTag, changeAttribute, setValue, setValue],
  ],
  compare,
};
