import type * as Models from '../../../../generated/crm/models.ts';
import type { StoredContact } from '../contacts/state.ts';

export interface DealsState {
  /** In reverse list order: to move a deal to the top, delete it and set it again. */
  deals: Map<number, StoredDeal>;
}

export interface StoredDeal {
  /** Fields of replies, without `contact` and `attributes`, which replies build from the properties below. */
  record: Omit<Models.Deal, 'contact' | 'attributes'> & { pipelineId: number; stepId: number };
  createdAt: number;
  updatedAt: number;
  /** Contact IDs. */
  contacts: Set<number>;
  /** Values by attribute ID. */
  values: Map<number, string>;
  notes: Map<number, Models.DealComment>;
}

export function emptyDeals(): DealsState {
  return { deals: new Map() };
}

/** Links a contact and a deal in both records. */
export function linkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.add(contact.record.id);
  contact.deals ??= new Set();
  contact.deals.add(deal.record.id);
}

/** Removes the link between a contact and a deal from both records. */
export function unlinkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.delete(contact.record.id);
  contact.deals?.delete(deal.record.id);
}
