import type * as Models from '../../../../generated/crm/models.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import { attributeValueResponse } from '../attribute-types.ts';
import { newContact, type StoredContact } from './contacts.ts';

/** Returns the contact with the ID from the path. */
export function findContact(context: Context, contactId: number): Readonly<StoredContact> {
  return context.find(context.state.crm.contacts, contactId, 'contact');
}

/** Stores a new contact. */
export function storeContact(
  context: Context,
  fields: Omit<StoredContact['record'], 'id'>,
  details: Partial<StoredContact> = {},
): StoredContact {
  const { crm } = context.state;
  return crm.contacts.put({ ...newContact({ id: newId(crm), ...fields }, context.now), ...details });
}

/** Stores changed parts of a contact, and sets the update time, by which `updateFrom` and `updateTo` filter. */
export function changeContact(
  { state, now }: Context,
  contact: Readonly<StoredContact>,
  parts: Partial<StoredContact>,
): Readonly<StoredContact> {
  return state.crm.contacts.put({ ...contact, ...parts, updatedAt: now });
}

/**
 * Returns a contact as it appears in responses.
 *
 * @param attributeIds - IDs of the attributes to include (default: all)
 */
export function contactResponse(
  context: Context,
  contact: StoredContact,
  attributeIds?: ReadonlySet<number>,
): Models.Contact {
  const { contactAttributes, tags } = context.state.crm;
  const { record, phones, emails, messengers } = contact;
  const attributes: Models.ContactAttributeValue[] = [];
  for (const { attributeId, value } of contact.values ?? []) {
    const definition = contactAttributes.get(attributeId);
    if (!definition || attributeIds?.has(attributeId) === false) continue;
    attributes.push(attributeValueResponse(definition, value));
    context.chose('facts-without-field-names');
  }
  const borne: Models.ContactTag[] = [];
  for (const tagId of contact.tags ?? []) {
    const tag = tags.get(tagId);
    if (!tag) continue;
    borne.push(tag);
    context.chose('tag-contact-count-unnamed');
  }
  if ([phones, emails, messengers, borne, attributes].some(({ length }) => length > 0))
    context.chose('contact-details-as-records');
  return {
    ...record,
    phones: [...phones],
    emails: [...emails],
    messengers: [...messengers],
    tags: borne,
    attributes,
  };
}

/** Contact fields that the stored `record` does not contain. */
export const separate = ['phones', 'emails', 'messengers', 'tags', 'attributes'] as const;
