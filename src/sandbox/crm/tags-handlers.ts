import type { ContactTag } from '../../../generated/crm/models.ts';
import { zContactTag } from '../../../generated/crm/zod.ts';
import { newId } from '../data/settings.ts';
import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { changeContact, findContact } from './contacts/contact-record.ts';

/** @internal */
export const tagHandlers = {
  assignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    const { tags = [] } = contact;
    if (tags.includes(tag.id)) {
      context.chose('tag-assigned-twice');
      return;
    }
    changeContact(context, contact, { tags: [...tags, tag.id] });
  },

  unassignTag({ path }, context) {
    const tag = findTag(context, path.tagId);
    const contact = findContact(context, path.contactId);
    const { tags = [] } = contact;
    if (!tags.includes(tag.id)) context.rejectByChoice('tag-not-borne', 'The contact does not have this tag.', 404);
    changeContact(context, contact, { tags: tags.filter((id) => id !== tag.id) });
  },

  listTags: {
    list: { order: 'listed-by-age', entry: ['tag-contact-count-unnamed'] },
    handle({ query }, context) {
      const { name = '', search = '' } = query;
      const part = search.toLowerCase();
      const found = [...context.state.crm.tags.values()].filter(
        (tag) => (name === '' || tag.name === name) && (part === '' || tag.name?.toLowerCase().includes(part)),
      );
      if (name !== '' || search !== '') context.chose('tag-names');
      if (query.name === '' || query.search === '' || (name && search)) context.chose('tag-name-and-search');
      return { data: context.list(found) };
    },
  },

  createTag: {
    always: ['tag-contact-count-unnamed'],
    handle({ body }, context) {
      const { crm } = context.state;
      const tag: ContactTag = { ...context.fields(zContactTag), id: newId(crm) };
      if ([...crm.tags.values()].some(({ name }) => name === body.name)) context.chose('tag-names');
      return { data: crm.tags.put(tag) };
    },
  },

  updateTag: {
    always: ['tag-contact-count-unnamed'],
    handle({ path }, context) {
      const tag = findTag(context, path.tagId);
      return { data: context.state.crm.tags.put(context.overwrite(tag, zContactTag)) };
    },
  },

  deleteTag({ path }, context) {
    const { tags, contactsByTag } = context.state.crm;
    const { id } = findTag(context, path.tagId);
    const bearers = [...contactsByTag.keys(id)];
    for (const contactId of bearers) {
      const contact = findContact(context, contactId);
      changeContact(context, contact, { tags: contact.tags?.filter((tagId) => tagId !== id) });
    }
    if (bearers.length > 0) context.chose('tag-deleted');
    tags.delete(id);
  },
} satisfies Partial<Handlers['crm']>;

function findTag(context: Context, tagId: number): Readonly<ContactTag> {
  return context.find(context.state.crm.tags, tagId, 'tag');
}
