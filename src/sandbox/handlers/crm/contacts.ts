import type { ContactUpdate } from '../../../../generated/crm/models.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { unlinkDealContact } from '../../state/crm.ts';
import { markMissingMandatory } from './attribute-values.ts';
import { contactReply, storeContact, touch } from './contact-records.ts';
import { given, overwrite } from './fields.ts';
import { checkResponsible, findContact } from './references.ts';
import { dealReply, listedByAge } from './replies.ts';

type Names = 'createContact' | 'getContact' | 'updateContact' | 'deleteContact' | 'listContactDeals';

export const contactHandlers: Pick<CrmHandlers, Names> = {
  createContact({ body }, context) {
    checkResponsible(context, body.responsibleId);
    const { externalContactId } = body;
    const contact = storeContact(context, given({ ...written(body), externalContactId }));
    markMissingMandatory(context, context.state.crm.contactAttributes);
    context.chose('contact-source-type');
    return { data: contactReply(context, contact) };
  },

  getContact({ path }, context) {
    return { data: contactReply(context, findContact(context, path.contactId)) };
  },

  updateContact({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    checkResponsible(context, body.responsibleId);
    overwrite(context, contact.record, written(body));
    touch(context, contact);
    return { data: contactReply(context, contact) };
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

  listContactDeals({ path }, context) {
    const { deals } = context.state.crm;
    const { deals: linked = new Set<number>() } = findContact(context, path.contactId);
    const found = [...linked].flatMap((dealId) => deals.get(dealId) ?? []);
    return { data: listedByAge(context, found).map((deal) => dealReply(context, deal)) };
  },
};

/** What every way to write a contact has in common. */
export function written({ responsibleId, firstName, lastName }: ContactUpdate) {
  return { responsibleId, firstName, lastName };
}
