import type { DealsState, StoredDeal } from './state.ts';

/** Links a deal with a contact. */
export function linkContact({ deals }: DealsState, deal: Readonly<StoredDeal>, contactId: number): void {
  if (!deal.contacts.includes(contactId)) deals.put({ ...deal, contacts: [...deal.contacts, contactId] });
}

/** Removes the link between a deal and a contact. */
export function unlinkContact({ deals }: DealsState, deal: Readonly<StoredDeal>, contactId: number): void {
  deals.put({ ...deal, contacts: deal.contacts.filter((id) => id !== contactId) });
}
