import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredContact, StoredTag } from '../../state/crm.ts';
import { touch } from './contact-records.ts';
import { findContact, newId } from './references.ts';

type Names = 'assignTag' | 'unassignTag' | 'listTags' | 'createTag' | 'updateTag' | 'deleteTag';

export const tagHandlers: Pick<CrmHandlers, Names> = {
  assignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    if (tag.contacts.has(path.contactId)) {
      context.chose('tag-assigned-twice');
      return;
    }
    bearTag(contact, tag);
    touch(context, contact);
  },

  unassignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    if (!tag.contacts.delete(path.contactId)) {
      context.refuseByChoice('tag-not-borne', { status: 404, message: 'The contact does not bear this tag.' });
    }
    contact.tags?.delete(path.tagId);
    touch(context, contact);
  },

  listTags({ query: { name = '', search = '' } }, context) {
    const part = search.toLowerCase();
    const found = [...context.state.crm.tags.values()].filter(
      ({ record }) =>
        (name === '' || record.name === name) && (part === '' || record.name?.toLowerCase().includes(part)),
    );
    if (name !== '' || search !== '') context.chose('tag-names');
    if (name !== '' && search !== '') context.chose('tag-name-and-search');
    return { data: found.map((tag) => reply(context, tag)) };
  },

  createTag({ body }, context) {
    const tag: StoredTag = { record: { id: newId(context), ...written(body) }, contacts: new Set() };
    context.state.crm.tags.set(tag.record.id, tag);
    context.chose('tag-names');
    return { data: reply(context, tag) };
  },

  updateTag({ path, body }, context) {
    const tag = findTag(context, path.tagId);
    Object.assign(tag.record, written(body));
    context.chose('omitted-fields-kept');
    return { data: reply(context, tag) };
  },

  deleteTag({ path }, context) {
    const { tags, contacts } = context.state.crm;
    const tag = findTag(context, path.tagId);
    for (const contactId of tag.contacts) {
      const contact = contacts.get(contactId);
      if (!contact) continue;
      contact.tags?.delete(path.tagId);
      touch(context, contact);
    }
    tags.delete(path.tagId);
    context.chose('tag-deleted');
  },
};

/** Puts a tag on a contact, on both sides. */
export function bearTag(contact: StoredContact, tag: StoredTag): void {
  tag.contacts.add(contact.record.id);
  contact.tags ??= new Set();
  contact.tags.add(tag.record.id);
}

function findTag(context: Context, tagId: number): StoredTag {
  return context.state.crm.tags.get(tagId) ?? context.notFound('tag');
}

function written({ name, colorText, colorBackground }: Models.ContactTagUpdate): Omit<Models.ContactTag, 'id'> {
  return {
    name,
    ...(colorText !== undefined && { colorText }),
    ...(colorBackground !== undefined && { colorBackground }),
  };
}

/** A tag as replies carry it: without the number of its contacts, whose name is not documented. */
function reply(context: Context, { record }: StoredTag): Models.ContactTag {
  context.chose('tag-contact-count-unnamed');
  return record;
}
