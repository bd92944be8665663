import { AttributeStatus, AttributeType, ContactSourceType } from '../../../../generated/crm/models.ts';
import type { SeedSource } from '../../seed-source.ts';
import type { CrmState } from '../state.ts';
import { newContact } from './state.ts';

/** 2026-11-02 at 09:30, as in the examples of the specs, unless the clock moves the story. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);
const minute = 60_000;
const minutesOfYear = 365 * 24 * 60;

const firstNames = ['Ada', 'Bela', 'Carl', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kofi', 'Lena'];
const lastNames = ['Adler', 'Boros', 'Costa', 'Duda', 'Evans', 'Frank', 'Grau', 'Haas', 'Ivers', 'Jansen', 'Klein'];
const locations = ['Kyiv', 'Lisbon', 'Vienna', 'Oslo', 'Turin'];
const interests = ['["Hiking"]', '["Music"]', '["Tea"]', '["Hiking","Tea"]', '["Hiking","Music","Tea"]'];
const sourceTypes = Object.values(ContactSourceType);

/** Adds the contacts of the example story (spec/README.md) with their attributes and tags, and `size` more contacts. */
export function seedContacts(state: CrmState, source: SeedSource): void {
  for (const id of [1, 2, 3]) state.messengerTypes.put({ id });
  seedAttributes(state);
  const createdAt = storyBegins + Math.max(0, source.shift);
  seedStory(state, createdAt);
  let id = state.settings.get('nextId');
  const nextId = (): number => id++;
  for (let index = 0; index < source.size; index += 1) seedOne(state, source, index, createdAt, nextId);
  state.settings.set('nextId', id);
}

function seedAttributes({ contactAttributes }: CrmState): void {
  const shown = { mandatory: false, status: AttributeStatus.Active, contactCardShow: true };
  contactAttributes.put({ id: 310, name: 'Birthday', type: AttributeType.Date, order: 1, ...shown });
  contactAttributes.put({
    id: 311,
    name: 'Interests',
    type: AttributeType.MultiSelect,
    options: ['Hiking', 'Music', 'Tea'],
    order: 2,
    ...shown,
  });
}

function seedStory({ contacts }: CrmState, createdAt: number): void {
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

/** Creates one of many contacts. Few distinct texts keep time and memory low for a hundred thousand contacts. */
function seedOne(
  state: CrmState,
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
