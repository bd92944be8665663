import type * as Models from '../../../../generated/crm/models.ts';

export interface ContactsState {
  contacts: Map<number, StoredContact>;
  /** Definitions of contact attributes. */
  contactAttributes: Map<number, Models.ContactAttribute>;
  /** IDs of the messenger types that are available for contacts. */
  messengerTypes: Set<number>;
}

/** A contact. Lists are absent until they are needed: there may be very many contacts. */
export interface StoredContact {
  /** Without the lists that are made from the properties below. */
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

export function emptyContacts(): ContactsState {
  return { contacts: new Map(), contactAttributes: new Map(), messengerTypes: new Set() };
}

/** A contact without details. */
export function newContact(record: StoredContact['record'], at: number): StoredContact {
  return {
    record,
    createdAt: at,
    updatedAt: at,
    phones: [],
    emails: [],
    messengers: [],
    notes: undefined,
    tags: undefined,
    values: undefined,
    deals: undefined,
  };
}
