import type { ContactTag } from '../../../generated/crm/models.ts';
import { crmTitles } from '../../../generated/crm/reference.ts';
import { zContactTag } from '../../../generated/crm/zod.ts';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface TagsTables {
  tags: Table<number, ContactTag>;
}

const choices = {
  'tag-contact-count-unnamed':
    'Responses omit the number of contacts that have a tag, because the name of that field is not documented. The state of the sandbox contains the number.',
  'tag-names':
    'Several tags may have the same name. The parameter `name` is case-sensitive, but `search` ignores case.',
  'tag-name-and-search':
    'If a request contains both `name` and `search`, a tag must match both. An empty value counts as missing.',
  'tag-assigned-twice':
    'Assigning a tag that the contact already has changes nothing. The response is the same as the first time.',
  'tag-not-borne': 'A request to remove a tag that the contact does not have returns status 404.',
  'tag-deleted': 'Deleting a tag removes it from its contacts.',
} as const;

/**
 * Tags of contacts.
 *
 * @internal
 */
export const tags: Resource<TagsTables, typeof choices> = {
  tables: (ledger) => ({
    tags: tableById<ContactTag>(ledger, 'crm.tags', zContactTag, crmTitles.ContactTag),
  }),

  seed(state) {
    state.tags.put({ id: 15, name: 'VIP', colorText: '#000000', colorBackground: '#ffd54f' });
    state.tags.put({ id: 16, name: 'Newsletter' });
  },

  choices,
};
