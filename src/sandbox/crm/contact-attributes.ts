import { AttributeStatus, AttributeType, type ContactAttribute } from '../../../generated/crm/models.ts';
import { crmTitles } from '../../../generated/crm/reference.ts';
import { zContactAttribute } from '../../../generated/crm/zod.ts';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface ContactAttributesTables {
  /** Definitions of contact attributes. */
  contactAttributes: Table<number, ContactAttribute>;
}

const choices = {
  'contact-attribute-type':
    'If a request to create a contact attribute omits the type, the attribute is a text attribute.',
  'contact-attribute-deleted': 'Deleting a contact attribute also deletes its values.',
} as const;

/**
 * Definitions of contact attributes.
 *
 * @internal
 */
export const contactAttributes: Resource<ContactAttributesTables, typeof choices> = {
  tables: (ledger) => ({
    contactAttributes: tableById<ContactAttribute>(
      ledger,
      'crm.contactAttributes',
      zContactAttribute,
      crmTitles.ContactAttribute,
    ),
  }),

  seed(state) {
    const shown = { mandatory: false, status: AttributeStatus.Active, contactCardShow: true };
    state.contactAttributes.put({ id: 310, name: 'Birthday', type: AttributeType.Date, order: 1, ...shown });
    state.contactAttributes.put({
      id: 311,
      name: 'Interests',
      type: AttributeType.MultiSelect,
      options: ['Hiking', 'Music', 'Tea'],
      order: 2,
      ...shown,
    });
  },

  choices,
};
