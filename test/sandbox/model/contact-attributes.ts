import fc from 'fast-check';
import { expect } from 'vitest';
import { compareContacts, findContact } from './contact-shown.ts';
import { any, step } from './step.ts';
import { definitionOf, fits, shownValue, type, value } from './values.ts';
import { addNew, attempt, firstOf, pick } from './world.ts';

export const changeAttribute = step(
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
  compareContacts,
);

export const setValue = step(
  'set or delete a value of a contact',
  fc.record({ of: any, attribute: any, given: value, sets: fc.boolean() }),
  async (world, { of, attribute, given, sets }) => {
    const { contactId, contact } = findContact(world, of);
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
      accept: (response) => {
        contact?.values.set(attributeId, given);
        expect(response).toEqual(shownValue(definition ?? { id: attributeId }, given));
      },
    });
  },
  compareContacts,
);
