import * as z from 'zod';
import type * as Models from '../../../../generated/crm/models.ts';
import { ContactSourceType } from '../../../../generated/crm/models.ts';
import { crmTitles } from '../../../../generated/crm/reference.ts';
import { zContact, zContactComment, zContactSourceType } from '../../../../generated/crm/zod.ts';
import { day, minute } from '../../data/dates.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Resource } from '../../data/resource.ts';
import { type SeedSource, storyBegins } from '../../data/seed-source.ts';
import { Table, valuesOf } from '../../data/table.ts';
import type { CrmCommonTables } from '../common.ts';
import { type StoredValues, zStoredValues } from '../values.ts';

export interface ContactsTables {
  contacts: Table<number, StoredContact>;
  /** IDs of contacts, by tag ID. */
  contactsByTag: GroupIndex<number, number, Readonly<StoredContact>>;
}

/** A contact. To save memory, some collections are absent until they are needed. */
export interface StoredContact {
  /** Response fields, except the lists, which are built from the properties below. */
  record: Omit<Models.Contact, 'phones' | 'emails' | 'messengers' | 'tags' | 'attributes'>;
  createdAt: number;
  updatedAt: number;
  /** Location, which only the seed sets. No operation changes it. */
  location?: string;
  /** Type of the source, which only the seed sets. No operation changes it. */
  sourceType?: Models.ContactSourceType;
  phones: readonly Models.ContactPhone[];
  emails: readonly Models.ContactEmail[];
  messengers: readonly Models.ContactMessenger[];
  notes?: readonly Models.ContactComment[];
  /** IDs of tags, in order of assignment. */
  tags?: readonly number[];
  values?: StoredValues;
}

const zStoredContact = z.object({
  createdAt: z.number(),
  updatedAt: z.number(),
  record: zContact,
  location: z.string().optional(),
  sourceType: zContactSourceType.optional(),
  phones: z.array(z.object({ id: z.int(), phone: z.string().optional() })),
  emails: z.array(z.object({ id: z.int(), email: z.string().optional(), isMain: z.boolean().optional() })),
  messengers: z.array(z.object({ id: z.int(), login: z.string().optional() })),
  notes: z.array(zContactComment).optional(),
  tags: z.array(z.int()).optional(),
  values: zStoredValues.optional(),
});

const choices = {
  'contact-details-as-records':
    'In a response, the phones, emails, messengers and tags of a contact have the same form as in the responses of their own operations, and its attributes are attribute values. The response omits the number of deals, because the name of that field is not documented.',
  'contact-updated':
    'A change to the fields, phones, emails, messengers, notes, tags or attribute values of a contact counts as an update of the contact.',
  'contact-deleted':
    'Deleting a contact removes the contact from its deals and tags. The deals, tags and payments are kept.',
  'contact-source-type': 'A contact created by a request has neither a source type nor a location.',
  'contact-emails-added':
    'When emails are added to a contact, the response contains only the added emails. A request without emails is also accepted.',
  'contact-main-email':
    'An added email is the main email only if the request sets `isMain` to true. A new main email replaces the previous main email. If a request adds several main emails, the last one becomes the main email.',
  'contact-main-chatbot':
    'A messenger is the main chatbot only if a request sets `isMainChatbot` to true. A new main chatbot replaces the previous main chatbot.',
  'contact-legacy-main-email': 'If a contact is created in the deprecated form, its first email is the main email.',
  'contact-legacy-lengths':
    'If a contact is created in the deprecated form, the length and format of its phones and emails are not restricted.',
  'contact-legacy-attribute-name':
    'Attribute names are case-sensitive. If several attributes have the same name, the oldest one is used.',
  'contact-legacy-attribute-type':
    'If a request that creates an attribute by name omits the type, the attribute is a text attribute. An existing attribute keeps its type, and the value must match that type.',
  'contact-legacy-attribute-options':
    'If a request creates a select or multi-select attribute by name, the value in the request determines the options of the attribute.',
  'contact-attribute-incomplete':
    'A request to set a value returns status 422 if `attributeId` is missing, because nothing else identifies the attribute.',
  'contact-attribute-value-set-again':
    'If a contact already has a value for an attribute, setting the attribute replaces the value. If the contact has no value, a request to update the value returns status 404.',
  'contact-attribute-batch':
    'A request sets either all of its values or none. If a request contains several values for an attribute, the last one is stored.',
  'contact-filter-combination':
    'A contact must match all fields and all conditions of a filter. If a field lists IDs, the contact must match at least one of them. An empty string or list counts as missing.',
  'contact-filter-text':
    'Names, emails, messenger logins and locations match if they contain the string in the filter, ignoring case.',
  'contact-filter-phone':
    'A phone matches if its digits contain the digits in the filter. Other characters are ignored.',
  'contact-filter-dates': 'Days are in UTC. A range includes its first and last day.',
  'contact-filter-attributes':
    '`attributes` takes `{attributeId, value}` or a list of such objects. A contact must have every given value. `attributes` of any other shape is ignored.',
  'contact-condition-strings':
    'Conditions ignore case. They compare phones by their digits and messengers by login. `like` matches part of a string. `gt`, `gte`, `lt` and `lte` compare numbers if both sides are numbers, and strings otherwise.',
  'contact-condition-lists':
    'A field with several values matches if at least one value matches. If a condition lists several values, one match is enough. With `neq`, a field matches if none of its values equals a value of the condition.',
  'contact-condition-attributes':
    'A condition on `attributes` checks all nonempty custom attribute values of a contact. For a multi-select attribute, the condition checks each selected option and the whole value.',
  'contact-condition-tags':
    'A condition on `tags` compares tag names. With `eq`, `neq` and `in`, the condition may also contain tag IDs.',
  'contact-condition-incomplete':
    'Every condition needs a field and an expression. Unless the expression is `empty`, the condition also needs a value. A request with an incomplete condition returns status 422.',
  'contact-page-size':
    'If `limit` is omitted, a page contains up to the documented maximum number of contacts. A search by email returns one such page.',
  'contact-sort-default':
    'If the sort field is omitted, contacts are sorted by ID. If the direction is omitted, the order is ascending. Contacts with equal sort values are sorted by ID.',
  'contact-sort-strings': 'First names are compared by character code. A missing first name counts as the smallest.',
  'contact-sort-attribute':
    'If the sort field is `attributeId`, contacts are sorted by the value of the first attribute in `attributeIds`, or by ID if `attributeIds` is missing. Values of number attributes are compared as numbers. A missing value counts as the smallest.',
  'contact-email-whole-search':
    'If `isEmailFullSearch` is true, a matching part of an email is enough. Otherwise, the whole email must match. Case is ignored.',
  'contact-email-missing': 'A search by email returns no contacts if the request contains no email.',
} as const;

/** Tables that the seed fills. */
type SeedState = ContactsTables & CrmCommonTables;

/** @internal */
export const contacts: Resource<ContactsTables, typeof choices, SeedState> = {
  tables(ledger) {
    const table = new Table<number, StoredContact>(ledger, 'crm.contacts', {
      key: ({ record }) => record.id,
      schema: zStoredContact,
      title: ({ record }) => valuesOf(record, crmTitles.Contact),
      ids: ({ record, phones, emails, messengers, notes = [] }) =>
        [record, ...phones, ...emails, ...messengers, ...notes].map(({ id }) => id),
    });
    return {
      contacts: table,
      contactsByTag: table.watch(new GroupIndex(({ tags = [] }) => tags)),
    };
  },

  seed(state, source) {
    const createdAt = storyBegins + Math.max(0, source.shift);
    seedStory(state, createdAt);
    let id = state.settings.get('nextId');
    const nextId = (): number => id++;
    for (let index = 0; index < source.size; index += 1) {
      seedOne(state, source, index, createdAt, nextId);
    }
    state.settings.set('nextId', id);
  },

  choices,
};

/** Returns a contact without details. */
export function newContact(record: StoredContact['record'], at: number): StoredContact {
  return { record, createdAt: at, updatedAt: at, phones: [], emails: [], messengers: [] };
}

const minutesOfYear = (365 * day) / minute;

const firstNames = ['Ada', 'Bela', 'Carl', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kofi', 'Lena'];
const lastNames = ['Adler', 'Boros', 'Costa', 'Duda', 'Evans', 'Frank', 'Grau', 'Haas', 'Ivers', 'Jansen', 'Klein'];
const locations = ['Kyiv', 'Lisbon', 'Vienna', 'Oslo', 'Turin'];
const interests = ['["Hiking"]', '["Music"]', '["Tea"]', '["Hiking","Tea"]', '["Hiking","Music","Tea"]'];
const sourceTypes = Object.values(ContactSourceType);

function seedStory({ contacts }: ContactsTables, createdAt: number): void {
  contacts.put({
    ...newContact({ id: 3001, responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' }, createdAt),
    location: 'Kyiv',
    sourceType: ContactSourceType.Source1,
    phones: [{ id: 6101, phone: '+15550100123' }],
    emails: [{ id: 6201, email: 'ann.kowal@example.com', isMain: true }],
    messengers: [{ id: 6301, typeId: 1, login: 'annkowal', isMainChatbot: false }],
    notes: [{ id: 811, message: 'Prefers to be called in the morning.' }],
    values: [
      { attributeId: 310, value: '1990-05-14 00:00' },
      { attributeId: 311, value: '["Hiking","Tea"]' },
    ],
    tags: [15],
  });
  const ben = {
    id: 3002,
    responsibleId: 78,
    firstName: 'Ben',
    lastName: 'Ito',
    externalContactId: 'import-2026-11',
  };
  contacts.put({
    ...newContact(ben, createdAt + 15 * minute),
    location: 'Lisbon',
    sourceType: ContactSourceType.Source2,
    phones: [{ id: 6102, phone: '15550100124' }],
    emails: [{ id: 6202, email: 'ben.ito@example.com', isMain: true }],
  });
}

/**
 * Creates one of many contacts. Uses few distinct strings, which saves time and memory if the seed creates a hundred thousand
 * contacts.
 */
function seedOne(
  state: SeedState,
  { random }: SeedSource,
  index: number,
  createdAt: number,
  nextId: () => number,
): void {
  const firstName = pick(firstNames, random);
  const lastName = pick(lastNames, random);
  const age = Math.floor(random() * minutesOfYear);
  const record = { id: nextId(), responsibleId: 77 + Math.floor(random() * 2), firstName, lastName };
  const one = newContact(record, createdAt - age * minute);
  one.updatedAt += Math.floor(random() * age) * minute;
  one.location = pick(locations, random);
  one.sourceType = pick(sourceTypes, random);
  one.phones = [{ id: nextId(), phone: `+1555${String(2_000_000 + index)}` }];
  const email = `${firstName}.${lastName}.${index}@example.com`.toLowerCase();
  one.emails = [{ id: nextId(), email, isMain: true }];
  const login = `${firstName}${lastName}${index}`.toLowerCase();
  if (index % 2 === 0) one.messengers = [{ id: nextId(), typeId: 1, login, isMainChatbot: false }];
  if (index % 3 === 0) one.values = [{ attributeId: 311, value: pick(interests, random) }];
  if (index % 4 === 0) one.tags = [index % 8 === 0 ? 15 : 16];
  state.contacts.put(one);
}

function pick<Entry>(entries: readonly [Entry, ...Entry[]] | readonly Entry[], random: () => number): Entry {
  return entries[Math.floor(random() * entries.length)] as Entry;
}
