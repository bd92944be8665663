import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import { type StoredContact, unlinkDealContact } from '../../state/crm.ts';
import { contactReply, storeContact, touch } from './contact-records.ts';
import { checkResponsible, findContact } from './references.ts';
import { dealReply } from './replies.ts';

type Names = 'createContact' | 'getContact' | 'updateContact' | 'deleteContact' | 'listContactDeals';

export const contactHandlers: Pick<CrmHandlers, Names> = {
  createContact({ body }, context) {
    checkResponsible(context, body.responsibleId);
    const { externalContactId } = body;
    const contact = storeContact(context, {
      ...written(body),
      ...(externalContactId !== undefined && { externalContactId }),
    });
    context.chose('contact-source-type');
    return { data: contactReply(context, contact) };
  },

  getContact({ path }, context) {
    return { data: contactReply(context, findContact(context, path.contactId)) };
  },

  updateContact({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    checkResponsible(context, body.responsibleId);
    Object.assign(contact.record, written(body));
    touch(context, contact);
    context.chose('omitted-fields-kept');
    return { data: contactReply(context, contact) };
  },

  deleteContact({ path }, context) {
    const { crm } = context.state;
    const contact = findContact(context, path.contactId);
    for (const dealId of [...(contact.deals ?? [])]) {
      const deal = crm.deals.get(dealId);
      if (deal) unlinkDealContact(deal, contact);
    }
    for (const tagId of contact.tags ?? []) crm.tags.get(tagId)?.contacts.delete(path.contactId);
    crm.contacts.delete(path.contactId);
    context.chose('contact-deleted');
  },

  listContactDeals({ path }, context) {
    const { deals } = context.state.crm;
    const { deals: linked = new Set<number>() } = findContact(context, path.contactId);
    const found = [...linked].flatMap((dealId) => deals.get(dealId) ?? []);
    return { data: found.map((deal) => dealReply(context, deal)) };
  },
};

/** What every way to write a contact has in common. */
export function written({
  responsibleId,
  firstName,
  lastName,
}: Pick<StoredContact['record'], 'responsibleId' | 'firstName' | 'lastName'>): Omit<StoredContact['record'], 'id'> {
  return {
    ...(responsibleId !== undefined && { responsibleId }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
  };
}
