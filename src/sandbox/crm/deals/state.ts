import type * as Models from '../../../../generated/crm/models.ts';
import type { StoredContact } from '../contacts/state.ts';

export interface DealsState {
  /** The last one is on top: a deal that goes to the top is removed and set again. */
  deals: Map<number, StoredDeal>;
}

export interface StoredDeal {
  /** Without `contact` and `attributes`, which are made from the links and values below. */
  record: Omit<Models.Deal, 'contact' | 'attributes'> & { pipelineId: number; stepId: number };
  createdAt: number;
  updatedAt: number;
  /** IDs of contacts. */
  contacts: Set<number>;
  /** Value by the ID of its attribute. */
  values: Map<number, string>;
  notes: Map<number, Models.DealComment>;
}

export function emptyDeals(): DealsState {
  return { deals: new Map() };
}

/** Links a contact with a deal, on both sides. */
export function linkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.add(contact.record.id);
  contact.deals ??= new Set();
  contact.deals.add(deal.record.id);
}

/** Removes the link between a contact and a deal, on both sides. */
export function unlinkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.delete(contact.record.id);
  contact.deals?.delete(deal.record.id);
}
