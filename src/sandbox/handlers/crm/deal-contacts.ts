import type { CrmHandlers } from '../../handler-types.ts';
import { linkDealContact, unlinkDealContact } from '../../state/crm.ts';
import { contactReply } from './contact-records.ts';
import { findContact, findDeal } from './references.ts';
import { listedByAge } from './replies.ts';

export const dealContactHandlers: Pick<CrmHandlers, 'listDealContacts' | 'addDealContact' | 'removeDealContact'> = {
  listDealContacts({ path }, context) {
    const ids = listedByAge(context, findDeal(context, path.dealId).contacts);
    return { data: ids.map((id) => contactReply(context, findContact(context, id))) };
  },

  addDealContact({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const contact = findContact(context, path.contactId);
    if (deal.contacts.has(path.contactId)) context.chose('contact-linked-twice');
    linkDealContact(deal, contact);
  },

  removeDealContact({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const contact = findContact(context, path.contactId);
    if (!deal.contacts.has(path.contactId)) context.notFound('contact of this deal');
    unlinkDealContact(deal, contact);
  },
};
