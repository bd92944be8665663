import type { ContactUpdate } from '../../../../generated/crm/models.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { dealReply } from '../deals/deal-record.ts';
import { unlinkDealContact } from '../deals/state.ts';
import { given, overwrite } from '../records.ts';
import { checkResponsible } from '../team/handlers.ts';
import { contactReply, findContact, storeContact, touch } from './contact-record.ts';

type Names = 'createContact' | 'getContact' | 'updateContact' | 'deleteContact' | 'listContactDeals';

export const contactHandlers: Pick<CrmHandlers, Names> = {
  createContact: {
    always: ['contact-source-type', 'contact-details-as-records'],
    handle({ body }, context) {
      checkResponsible(context, body.responsibleId);
      const { externalContactId } = body;
      const contact = storeContact(context, given({ ...written(body), externalContactId }));
      markMissingMandatory(context, context.state.crm.contactAttributes);
      return { data: contactReply(context, contact) };
    },
  },

  getContact: {
    always: ['contact-details-as-records'],
    handle: ({ path }, context) => ({ data: contactReply(context, findContact(context, path.contactId)) }),
  },

  updateContact: {
    always: ['contact-details-as-records'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      checkResponsible(context, body.responsibleId);
      overwrite(context, contact.record, written(body));
      touch(context, contact);
      return { data: contactReply(context, contact) };
    },
  },

  deleteContact({ path }, context) {
    const { crm } = context.state;
    const contact = findContact(context, path.contactId);
    const isPaying = [...crm.payments.values()].some(({ contactId }) => contactId === path.contactId);
    if (contact.deals?.size || contact.tags?.size || isPaying) context.chose('contact-deleted');
    for (const dealId of [...(contact.deals ?? [])]) {
      const deal = crm.deals.get(dealId);
      if (deal) unlinkDealContact(deal, contact);
    }
    for (const tagId of contact.tags ?? []) crm.tags.get(tagId)?.contacts.delete(path.contactId);
    crm.contacts.delete(path.contactId);
  },

  listContactDeals: {
    list: { order: 'listed-by-age' },
    handle({ path }, context) {
      const { deals } = context.state.crm;
      const { deals: linked = new Set<number>() } = findContact(context, path.contactId);
      const found = [...linked].flatMap((dealId) => deals.get(dealId) ?? []);
      return { data: context.list(found).map((deal) => dealReply(context, deal)) };
    },
  },
};

/** The fields that all operations that write a contact share. */
export function written({ responsibleId, firstName, lastName }: ContactUpdate) {
  return { responsibleId, firstName, lastName };
}
