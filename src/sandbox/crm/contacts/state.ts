import type * as Models from '../../../../generated/crm/models.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { SortedIndex } from '../../data/sorted-index.ts';
import { Table } from '../../data/table.ts';
import { TextIndex } from '../../data/text-index.ts';
import type { StoredValues } from '../values.ts';
import { digitsOnly, ignoreCase } from './text-test.ts';

export interface ContactsState {
  contacts: Table<number, StoredContact>;
  /** IDs of the contacts with each tag. */
  contactsByTag: GroupIndex<number, number, Readonly<StoredContact>>;
  contactsById: ContactOrder;
  contactsByCreation: ContactOrder;
  contactsByEmail: ContactTexts;
  contactsByPhone: ContactTexts;
  /** Definitions of contact attributes. */
  contactAttributes: Table<number, Models.ContactAttribute>;
  /** The messenger types that are available for contacts. */
  messengerTypes: Table<number, { id: number }>;
}

type ContactOrder = SortedIndex<number, Readonly<StoredContact>>;
type ContactTexts = TextIndex<number, Readonly<StoredContact>>;

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
  phones: readonly Models.ContactPhone[];
  emails: readonly Models.ContactEmail[];
  messengers: readonly Models.ContactMessenger[];
  notes?: readonly Models.ContactComment[];
  /** IDs of tags, in order of assignment. */
  tags?: readonly number[];
  values?: StoredValues;
}

export function emptyContacts(ledger: Ledger): ContactsState {
  const contacts = new Table<number, StoredContact>(ledger, 'crm.contacts', idOf);
  return {
    contacts,
    contactsByTag: contacts.watch(new GroupIndex(contacts, ({ tags }) => tags ?? noTags)),
    contactsById: contacts.watch(new SortedIndex(contacts, { sort: idOf, tie: idOf })),
    contactsByCreation: contacts.watch(new SortedIndex(contacts, { sort: ({ createdAt }) => createdAt, tie: idOf })),
    contactsByEmail: contacts.watch(new TextIndex(contacts, emailsOf)),
    contactsByPhone: contacts.watch(new TextIndex(contacts, phonesOf)),
    contactAttributes: new Table(ledger, 'crm.contactAttributes', ({ id }) => id),
    messengerTypes: new Table(ledger, 'crm.messengerTypes', ({ id }) => id),
  };
}

/** The emails as a search compares them. */
function emailsOf({ emails }: Readonly<StoredContact>): string[] {
  return emails.map(({ email = '' }) => ignoreCase(email));
}

/** The phones as a search compares them: as they are, and their digits. */
function phonesOf({ phones }: Readonly<StoredContact>): string[] {
  return phones.flatMap(({ phone = '' }) => {
    const digits = digitsOnly(phone);
    return phone.includes(digits) ? [phone] : [phone, digits];
  });
}

const noTags: readonly number[] = [];

function idOf({ record }: Readonly<StoredContact>): number {
  return record.id;
}

/** A contact without details. */
export function newContact(record: StoredContact['record'], at: number): StoredContact {
  return { record, createdAt: at, updatedAt: at, phones: [], emails: [], messengers: [] };
}
