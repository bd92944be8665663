import fc from 'fast-check';
import { expect } from 'vitest';
import { changeAttribute, setValue } from './contact-attributes.ts';
import { compareContacts, findContact, shownContact } from './contact-shown.ts';
import { assignTag, changeTag } from './contact-tags.ts';
import { any, type Group, step, text } from './step.ts';
import { addNew, attempt, firstOf, pick } from './world.ts';

const createContact = step(
  'create a contact',
  fc.tuple(text, fc.constantFrom(77, 77, 77, 78)),
  async (world, [firstName, responsibleId]) =>
    attempt(world, {
      against: firstOf(responsibleId === 78 && 'users-are-assignable'),
      send: () => world.api.crm.contacts.create({ firstName, responsibleId }),
      accept: (response) => {
        const record = { id: response.id, firstName, responsibleId };
        const lists = {
          phones: new Map(),
          emails: new Map(),
          notes: new Map(),
          tags: new Set<number>(),
          values: new Map(),
        };
        addNew(world.model.contacts, response.id, { record, ...lists });
        expect(response).toEqual(shownContact(world.model, { record, ...lists }));
      },
    }),
  compareContacts,
);

const changeContact = step(
  'rename or delete a contact',
  fc.record({ of: any, firstName: text, deletes: fc.integer({ min: 0, max: 2 }) }),
  async (world, { of, firstName, deletes }) => {
    const { contactId, contact } = findContact(world, of);
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
  compareContacts,
);

const changePhone = step(
  'add, change or delete a phone',
  fc.record({ of: any, at: any, digits: fc.nat(999), act: fc.constantFrom('create', 'create', 'update', 'delete') }),
  async (world, { of, at, digits, act }) => {
    const { contactId, contact } = findContact(world, of);
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
      accept: (response) => {
        if (!response) contact?.phones.delete(phoneId);
        else contact?.phones.set(response.id, phone);
        if (response) expect(response).toEqual({ id: act === 'create' ? response.id : phoneId, phone });
      },
    });
  },
  compareContacts,
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
    const { contactId, contact } = findContact(world, of);
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
  compareContacts,
);

const writeNote = step(
  'write, change or delete a note on a contact',
  fc.record({ of: any, note: any, message: text, act: fc.constantFrom('create', 'update', 'delete') }),
  async (world, { of, note, message, act }) => {
    const { contactId, contact } = findContact(world, of);
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
      accept: (response) => {
        if (!response) contact?.notes.delete(commentId);
        else contact?.notes.set(response.id, message);
        // No operation lists notes, so check the stored ones.
        const stored = world.sandbox.state.crm.contacts.get(contactId)?.notes ?? new Map();
        expect([...stored.values()]).toEqual(
          [...(contact?.notes ?? [])].map(([id, written]) => ({ id, message: written })),
        );
      },
    });
  },
  compareContacts,
);

export const contactSteps: Group = {
  first: [createContact, createContact, changeTag, changeAttribute],
  steps: [
    ...[createContact, createContact, changeContact, changePhone, addEmails, writeNote],
    ...[changeTag, assignTag, assignTag, changeAttribute, setValue, setValue],
  ],
  compare: compareContacts,
};
