import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { contactReply, findContact } from '../contacts/contact-record.ts';
import type { StoredContact } from '../contacts/state.ts';
import { findDeal } from './deal-record.ts';
import { linkDealContact, unlinkDealContact } from './state.ts';

export const dealContactHandlers: Pick<CrmHandlers, 'listDealContacts' | 'addDealContact' | 'removeDealContact'> = {
  listDealContacts: {
    list: { order: 'listed-by-age', entry: ['contact-details-as-records'] },
    handle({ path }, context) {
      const ids = context.list(findDeal(context, path.dealId).contacts);
      return { data: ids.map((id) => contactReply(context, findContact(context, id))) };
    },
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

/** Returns the contacts that a body refers to. */
export function knownContacts(context: Context, ids: readonly number[]): StoredContact[] {
  return ids.map((id) => context.state.crm.contacts.get(id) ?? context.unknownReference(`contact ${id}`));
}
