import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredContact } from '../../state/crm.ts';
import { newId } from './references.ts';
import { attributeValueReply } from './replies.ts';

/** Stores a new contact; its details are added by the caller. */
export function storeContact(context: Context, fields: Omit<StoredContact['record'], 'id'>): StoredContact {
  const contact: StoredContact = {
    record: { id: newId(context), ...fields },
    createdAt: context.now,
    updatedAt: context.now,
    phones: [],
    emails: [],
    messengers: [],
    notes: undefined,
    tags: undefined,
    values: undefined,
    deals: undefined,
  };
  context.state.crm.contacts.set(contact.record.id, contact);
  return contact;
}

/** Marks a contact as updated now: `updateFrom` and `updateTo` of the filter look at this. */
export function touch({ now }: Context, contact: StoredContact): void {
  contact.updatedAt = now;
}

/**
 * A contact as replies carry it.
 *
 * @param attributeIds - the only attributes to show; all where it is not given
 */
export function contactReply(
  context: Context,
  contact: StoredContact,
  attributeIds?: ReadonlySet<number>,
): Models.Contact {
  const { contactAttributes, tags } = context.state.crm;
  const { record, phones, emails, messengers } = contact;
  context.chose('contact-details-as-records');
  const attributes: Models.ContactAttributeValue[] = [];
  for (const [attributeId, value] of contact.values ?? []) {
    const definition = contactAttributes.get(attributeId);
    if (!definition || attributeIds?.has(attributeId) === false) continue;
    attributes.push(attributeValueReply(context, definition, value));
  }
  const borne: Models.ContactTag[] = [];
  for (const tagId of contact.tags ?? []) {
    const tag = tags.get(tagId);
    if (!tag) continue;
    borne.push(tag.record);
    context.chose('tag-contact-count-unnamed');
  }
  return { ...record, phones, emails, messengers, tags: borne, attributes };
}
