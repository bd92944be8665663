import type * as Models from '../../../generated/crm/models.ts';

/**
 * The data of this part: plain objects and Maps, so that `structuredClone` makes a snapshot. `record` is always what
 * replies carry; what else the sandbox knows of it stands beside it.
 */
export interface CrmState {
  /** The one counter for every new ID of this part. */
  nextId: number;
  users: Map<number, StoredUser>;
  pipelines: Map<number, StoredPipeline>;
  /** The last one is on top: a deal that goes to the top is taken out and set again. */
  deals: Map<number, StoredDeal>;
  contacts: Map<number, StoredContact>;
  /** Definitions of contact attributes. */
  contactAttributes: Map<number, Models.ContactAttribute>;
  tags: Map<number, StoredTag>;
  /** IDs of the messenger types that are available for contacts. */
  messengerTypes: Set<number>;
  payments: Map<number, StoredPayment>;
  boards: Map<number, Models.Board>;
}

export interface StoredUser {
  record: Models.User;
  isActive: boolean;
  isInvited: boolean;
}

export interface StoredPipeline {
  record: Models.Pipeline;
  steps: Map<number, StoredStep>;
  /** Definitions of deal attributes. */
  attributes: Map<number, Models.DealAttribute>;
  failReasons: Map<number, StoredFailReason>;
}

export interface StoredStep {
  record: Models.Step;
  /** IDs of the deals that stand in it. */
  deals: Set<number>;
}

export interface StoredFailReason {
  record: Models.FailReason;
  /** One of the platform's, whose name is a translation key. */
  isDefault: boolean;
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

/** A contact. Lists are left out until they are needed: there may be very many contacts. */
export interface StoredContact {
  /** Without the lists that are made from what stands below. */
  record: Omit<Models.Contact, 'phones' | 'emails' | 'messengers' | 'tags' | 'attributes'>;
  createdAt: number;
  updatedAt: number;
  /** No operation writes it; the seed does. */
  location?: string;
  /** No operation writes it; the seed does. */
  sourceType?: Models.ContactSourceType;
  phones: Models.ContactPhone[];
  emails: Models.ContactEmail[];
  messengers: Models.ContactMessenger[];
  notes: Map<number, Models.ContactComment> | undefined;
  /** IDs of tags; each tag holds the IDs of its contacts. */
  tags: Set<number> | undefined;
  /** Value by the ID of its attribute. */
  values: Map<number, string> | undefined;
  /** IDs of deals; each deal holds the IDs of its contacts. */
  deals: Set<number> | undefined;
}

export interface StoredTag {
  record: Models.ContactTag;
  /** IDs of the contacts that bear it. */
  contacts: Set<number>;
}

export interface StoredPayment {
  /** Its fields are not documented. */
  record: Models.Payment;
  dealId: number | undefined;
  contactId: number | undefined;
}

export function emptyCrmState(): CrmState {
  return {
    nextId: 1,
    users: new Map(),
    pipelines: new Map(),
    deals: new Map(),
    contacts: new Map(),
    contactAttributes: new Map(),
    tags: new Map(),
    messengerTypes: new Set(),
    payments: new Map(),
    boards: new Map(),
  };
}

/** Links a contact with a deal, on both sides. */
export function linkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.add(contact.record.id);
  contact.deals ??= new Set();
  contact.deals.add(deal.record.id);
}

/** Takes a contact off a deal, on both sides. */
export function unlinkDealContact(deal: StoredDeal, contact: StoredContact): void {
  deal.contacts.delete(contact.record.id);
  contact.deals?.delete(deal.record.id);
}
