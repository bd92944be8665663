import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { findContact, touch } from '../contacts/contact-record.ts';
import { given, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { assignTag, type StoredTag } from './state.ts';

type Names = 'assignTag' | 'unassignTag' | 'listTags' | 'createTag' | 'updateTag' | 'deleteTag';

export const tagHandlers: Pick<CrmHandlers, Names> = {
  assignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    if (tag.contacts.has(path.contactId)) {
      context.chose('tag-assigned-twice');
      return;
    }
    assignTag(contact, tag);
    touch(context, contact);
  },

  unassignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    if (!tag.contacts.delete(path.contactId)) {
      context.refuseByChoice('tag-not-borne', { status: 404, message: 'The contact does not have this tag.' });
    }
    contact.tags?.delete(path.tagId);
    touch(context, contact);
  },

  listTags: {
    list: { order: 'listed-by-age', entry: ['tag-contact-count-unnamed'] },
    handle({ query }, context) {
      const { name = '', search = '' } = query;
      const part = search.toLowerCase();
      const found = [...context.state.crm.tags.values()].filter(
        ({ record }) =>
          (name === '' || record.name === name) && (part === '' || record.name?.toLowerCase().includes(part)),
      );
      if (name !== '' || search !== '') context.chose('tag-names');
      if (query.name === '' || query.search === '' || (name && search)) context.chose('tag-name-and-search');
      return { data: context.list(found).map(({ record }) => record) };
    },
  },

  createTag: {
    always: ['tag-contact-count-unnamed'],
    handle({ body }, context) {
      const { crm } = context.state;
      const tag: StoredTag = { record: { id: newId(crm), ...given(written(body)) }, contacts: new Set() };
      if ([...crm.tags.values()].some(({ record }) => record.name === body.name)) context.chose('tag-names');
      crm.tags.set(tag.record.id, tag);
      return { data: tag.record };
    },
  },

  updateTag: {
    always: ['tag-contact-count-unnamed'],
    handle({ path, body }, context) {
      const tag = findTag(context, path.tagId);
      overwrite(context, tag.record, written(body));
      return { data: tag.record };
    },
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

function findTag(context: Context, tagId: number): StoredTag {
  return context.state.crm.tags.get(tagId) ?? context.notFound('tag');
}

function written({ name, colorText, colorBackground }: Models.ContactTagUpdate) {
  return { name, colorText, colorBackground };
}
