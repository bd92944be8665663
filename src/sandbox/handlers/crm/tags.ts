import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredContact, StoredTag } from '../../state/crm.ts';
import { touch } from './contact-records.ts';
import { given, overwrite } from './fields.ts';
import { findContact, newId } from './references.ts';
import { listedByAge } from './replies.ts';

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

  listTags({ query }, context) {
    const { name = '', search = '' } = query;
    const part = search.toLowerCase();
    const found = [...context.state.crm.tags.values()].filter(
      ({ record }) =>
        (name === '' || record.name === name) && (part === '' || record.name?.toLowerCase().includes(part)),
    );
    if (name !== '' || search !== '') context.chose('tag-names');
    if (query.name === '' || query.search === '' || (name && search)) context.chose('tag-name-and-search');
    return { data: listedByAge(context, found).map((tag) => reply(context, tag)) };
  },

  createTag({ body }, context) {
    const { tags } = context.state.crm;
    const tag: StoredTag = { record: { id: newId(context), ...given(written(body)) }, contacts: new Set() };
    if ([...tags.values()].some(({ record }) => record.name === body.name)) context.chose('tag-names');
    tags.set(tag.record.id, tag);
    return { data: reply(context, tag) };
  },

  updateTag({ path, body }, context) {
    const tag = findTag(context, path.tagId);
    overwrite(context, tag.record, written(body));
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
    if (tag.contacts.size > 0) context.chose('tag-deleted');
    tags.delete(path.tagId);
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

function written({ name, colorText, colorBackground }: Models.ContactTagUpdate) {
  return { name, colorText, colorBackground };
}

/** A tag as replies carry it: without the number of its contacts, whose name is not documented. */
function reply(context: Context, { record }: StoredTag): Models.ContactTag {
  context.chose('tag-contact-count-unnamed');
  return record;
}
