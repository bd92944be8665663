import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { contactResponse, findContact } from '../contacts/contact-record.ts';
import { findDeal, linkContact, unlinkContact } from './deal-record.ts';

/** @internal */
export const dealContactHandlers = {
  listDealContacts: {
    list: { order: 'listed-by-age' },
    handle({ path }, context) {
      const linked = context.state.crm.contacts.getAll(findDeal(context, path.dealId).contacts);
      return { data: context.list(linked).map((contact) => contactResponse(context, contact)) };
    },
  },

  addDealContact({ path }, context) {
    const deal = findDeal(context, path.dealId);
    findContact(context, path.contactId);
    if (deal.contacts.includes(path.contactId)) context.chose('contact-linked-twice');
    linkContact(context.state.crm, deal, path.contactId);
  },

  removeDealContact({ path }, context) {
    const deal = findDeal(context, path.dealId);
    findContact(context, path.contactId);
    if (!deal.contacts.includes(path.contactId)) context.notFound('contact on this deal');
    unlinkContact(context.state.crm, deal, path.contactId);
  },
} satisfies Partial<Handlers['crm']>;

/** Rejects a request whose body refers to a nonexistent contact. */
export function checkContacts(context: Context, ids: readonly number[]): void {
  for (const id of ids) if (!context.state.crm.contacts.has(id)) context.unknownReference(`contact ${id}`);
}
