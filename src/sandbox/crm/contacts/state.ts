import type * as Models from '../../../../generated/crm/models.ts';

export interface ContactsState {
  contacts: Map<number, StoredContact>;
  /** Definitions of contact attributes. */
  contactAttributes: Map<number, Models.ContactAttribute>;
  /** IDs of the messenger types that are available for contacts. */
  messengerTypes: Set<number>;
}

/** A contact. To save memory, some collections are absent until they are needed. */
export interface StoredContact {
  /** Fields of replies, without the lists that replies build from the properties below. */
  record: Omit<Models.Contact, 'phones' | 'emails' | 'messengers' | 'tags' | 'attributes'>;
  createdAt: number;
  updatedAt: number;
  /** Set only by the seed; no operation writes it. */
  location?: string;
  /** Set only by the seed; no operation writes it. */
  sourceType?: Models.ContactSourceType;
  phones: Models.ContactPhone[];
  emails: Models.ContactEmail[];
  messengers: Models.ContactMessenger[];
  notes: Map<number, Models.ContactComment> | undefined;
  /** IDs of tags; each tag holds the IDs of its contacts. */
  tags: Set<number> | undefined;
  /** Values by attribute ID. */
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
