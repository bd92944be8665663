import type { ContactUpdate } from '../../../../generated/crm/models.ts';
import { zContact } from '../../../../generated/crm/zod.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { dealReply } from '../deals/deal-record.ts';
import { unlinkContact } from '../deals/links.ts';
import { given, overwritten } from '../records.ts';
import { checkResponsible } from '../team/handlers.ts';
import { changeContact, contactReply, findContact, storeContact } from './contact-record.ts';

type Names = 'createContact' | 'getContact' | 'updateContact' | 'deleteContact' | 'listContactDeals';

export const contactHandlers: Pick<CrmHandlers, Names> = {
  createContact: {
    always: ['contact-source-type', 'contact-details-as-records'],
    handle({ body }, context) {
      checkResponsible(context, body.responsibleId);
      const { externalContactId } = body;
      const contact = storeContact(context, given({ ...context.own(zContact), ...written(body), externalContactId }));
      for (const one of context.state.crm.contactAttributes.values()) markMissingMandatory(context, one);
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
      const record = overwritten(context, { ...contact.record, ...context.own(zContact) }, written(body));
      return { data: contactReply(context, changeContact(context, contact, { record })) };
    },
  },

  deleteContact({ path }, context) {
    const { crm } = context.state;
    const contact = findContact(context, path.contactId);
    const deals = [...crm.dealsByContact.keys(path.contactId)].flatMap((id) => crm.deals.get(id) ?? []);
    const isPaying = crm.paymentsByContact.keys(path.contactId).size > 0;
    if (deals.length > 0 || contact.tags?.length || isPaying) context.chose('contact-deleted');
    for (const deal of deals) unlinkContact(crm, deal, path.contactId);
    crm.contacts.delete(path.contactId);
  },

  listContactDeals: {
    list: { order: 'listed-by-age' },
    handle({ path }, context) {
      const { deals, dealsByContact } = context.state.crm;
      const { id } = findContact(context, path.contactId).record;
      const linked = [...dealsByContact.keys(id)].sort((one, other) => one - other);
      const found = linked.flatMap((dealId) => deals.get(dealId) ?? []);
      return { data: context.list(found).map((deal) => dealReply(context, deal)) };
    },
  },
};

/** The fields that all operations that write a contact share. */
export function written({ responsibleId, firstName, lastName }: ContactUpdate) {
  return { responsibleId, firstName, lastName };
}
