import fc from 'fast-check';
import { expect } from 'vitest';
import { compareContacts, findContact } from './contact-shown.ts';
import { any, step, text } from './step.ts';
import { attempt, firstOf, pick } from './world.ts';

export const changeTag = step(
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
      accept: (response) => {
        if (response) {
          expect(response).toEqual({ id: act === 'create' ? response.id : tagId, name });
          world.model.tags.set(response.id, response);
          return;
        }
        world.model.tags.delete(tagId);
        for (const contact of world.model.contacts.values()) contact.tags.delete(tagId);
      },
    });
  },
  compareContacts,
);

export const assignTag = step(
  'assign or take off a tag',
  fc.record({ of: any, tag: any, assigns: fc.boolean() }),
  async (world, { of, tag, assigns }) => {
    const { contactId, contact } = findContact(world, of);
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
  compareContacts,
);
