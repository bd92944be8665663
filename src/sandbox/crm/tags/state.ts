import type { ContactTag } from '../../../../generated/crm/models.ts';
import type { StoredContact } from '../contacts/state.ts';

export interface TagsState {
  tags: Map<number, StoredTag>;
}

export interface StoredTag {
  record: ContactTag;
  /** IDs of the contacts that have this tag. */
  contacts: Set<number>;
}

export function emptyTags(): TagsState {
  return { tags: new Map() };
}

export function seedTags({ tags }: TagsState): void {
  const vip = { id: 15, name: 'VIP', colorText: '#000000', colorBackground: '#ffd54f' };
  for (const record of [vip, { id: 16, name: 'Newsletter' }]) tags.set(record.id, { record, contacts: new Set() });
}

/** Assigns a tag to a contact in both records. */
export function assignTag(contact: StoredContact, tag: StoredTag): void {
  tag.contacts.add(contact.record.id);
  contact.tags ??= new Set();
  contact.tags.add(tag.record.id);
}
