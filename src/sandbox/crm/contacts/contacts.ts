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
  /** IDs of the contacts with each tag. */
  contactsByTag: GroupIndex<number, number, Readonly<StoredContact>>;
}

/** A contact. To save memory, some collections are absent until they are needed. */
export interface StoredContact {
  /** Fields of responses, without the lists that responses build from the properties below. */
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
    'A contact in a response contains its phones, emails, messengers and tags in the form that their own operations return, and its attributes as attribute values. It has no number of deals because the name of that field is not documented.',
  'contact-updated':
    'A change of its fields, phones, emails, messengers, notes, tags or attribute values counts as an update of a contact.',
  'contact-deleted':
    'Deleting a contact removes it from its deals and tags, but does not delete them. Its payments are also kept.',
  'contact-source-type': 'A contact created by a request has no source type and no location.',
  'contact-emails-added':
    'The response to adding emails contains only the addresses just added. The list may be empty.',
  'contact-main-email':
    'An email is the main one only if the request says so. A new main email replaces an earlier one. If a request has several, the last one counts.',
  'contact-main-chatbot':
    'A messenger is the main chatbot only if the request says so. A new main chatbot replaces an earlier one.',
  'contact-legacy-main-email': 'In the deprecated form, the first email is the main one.',
  'contact-legacy-lengths': 'In the deprecated form, phones and emails have no limits on length or format.',
  'contact-legacy-attribute-name':
    'Attribute names are case-sensitive. If several attributes have the same name, the oldest one is used.',
  'contact-legacy-attribute-type':
    'An attribute created by name without a type is text. An existing attribute keeps its type, and the value must match that type.',
  'contact-legacy-attribute-options':
    'A select or multi-select attribute created by name gets the values sent with it as its options.',
  'contact-attribute-incomplete':
    'A value without an `attributeId` gets status 422, because nothing else identifies the attribute.',
  'contact-attribute-value-set-again':
    'Setting an attribute that already has a value for the contact replaces the value. Updating one without a value gets status 404.',
  'contact-attribute-batch': 'A request sets all of its values or none. The last value for an attribute counts.',
  'contact-filter-combination':
    'A contact must match all fields and all conditions of a filter, and at least one ID of a list of IDs. An empty string or list counts as missing.',
  'contact-filter-text':
    'Names, emails, messenger logins and locations match if they contain the text. Case does not matter.',
  'contact-filter-phone': 'Phones match if their digits contain the digits given. Other characters do not matter.',
  'contact-filter-dates': 'Days are days in UTC. A range includes its first and last day.',
  'contact-filter-attributes':
    '`attributes` is read as `{attributeId, value}` or as a list of these, and all values must be equal. Any other shape has no effect.',
  'contact-condition-strings':
    'Conditions ignore case. They compare phones by their digits and messengers by login. `like` matches part of a text. `gt`, `gte`, `lt` and `lte` compare two numbers as numbers and everything else as strings.',
  'contact-condition-lists':
    'A field with several values matches if one value does; with `neq`, it matches if no value is equal. With a list of values in the condition, any one of them is enough for every expression.',
  'contact-condition-attributes':
    'A condition on `attributes` checks the values of all custom attributes of a contact, except empty ones. For a multi-select, it checks each selected option and the whole value.',
  'contact-condition-tags': 'A condition on `tags` takes tag names. `eq`, `neq` and `in` also take tag IDs.',
  'contact-condition-incomplete':
    'A condition gets status 422 if it lacks a field or an expression, or if it lacks a value and its expression is not `empty`.',
  'contact-page-size':
    'Without `limit`, the page size of a list is the documented maximum. A search by email returns one such page.',
  'contact-sort-default':
    'Without a sort field, contacts are sorted by ID. Without a direction, the order is ascending. Contacts that compare equal are sorted by ID.',
  'contact-sort-strings':
    'First names are sorted by character code. Contacts without a first name count as the smallest.',
  'contact-sort-attribute':
    '`attributeId` sorts by the value of the first attribute in `attributeIds`, or by ID without `attributeIds`. Values of number attributes are compared as numbers. Contacts without a value count as the smallest.',
  'contact-email-whole-search':
    'Without `isEmailFullSearch`, the whole email must match, ignoring case. With it, part of an email is enough.',
  'contact-email-missing': 'A search by email without an email returns no contacts.',
} as const;

/** The tables that the seed fills. */
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

/** A contact without details. */
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

/** Creates one of many contacts. Few distinct strings keep time and memory low for a hundred thousand contacts. */
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
