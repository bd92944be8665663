import { AttributeStatus, AttributeType, ContactSourceType } from '../../../../generated/crm/models.ts';
import type { SeedSource } from '../../seed-source.ts';
import { type CrmState, newId } from '../state.ts';
import { assignTag } from '../tags/state.ts';
import { newContact, type StoredContact } from './state.ts';

/** 2026-11-02 at 09:30, as in the examples of the specs. */
const createdAt = Date.UTC(2026, 10, 2, 9, 30);
const minute = 60_000;
const minutesOfYear = 365 * 24 * 60;

const firstNames = ['Ada', 'Bela', 'Carl', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jana', 'Kofi', 'Lena'];
const lastNames = ['Adler', 'Boros', 'Costa', 'Duda', 'Evans', 'Frank', 'Grau', 'Haas', 'Ivers', 'Jansen', 'Klein'];
const locations = ['Kyiv', 'Lisbon', 'Vienna', 'Oslo', 'Turin'];
const interests = ['["Hiking"]', '["Music"]', '["Tea"]', '["Hiking","Tea"]', '["Hiking","Music","Tea"]'];
const sourceTypes = Object.values(ContactSourceType);

/** Adds the contacts of the example story (spec/README.md) with their attributes and tags, and `size` more contacts. */
export function seedContacts(state: CrmState, source: SeedSource): void {
  for (const id of [1, 2, 3]) state.messengerTypes.add(id);
  seedAttributes(state);
  seedStory(state);
  for (let index = 0; index < source.size; index += 1) seedOne(state, source, index);
}

function seedAttributes({ contactAttributes }: CrmState): void {
  const shown = { mandatory: false, status: AttributeStatus.Active, contactCardShow: true };
  contactAttributes.set(310, { id: 310, name: 'Birthday', type: AttributeType.Date, order: 1, ...shown });
  contactAttributes.set(311, {
    id: 311,
    name: 'Interests',
    type: AttributeType.MultiSelect,
    options: ['Hiking', 'Music', 'Tea'],
    order: 2,
    ...shown,
  });
}

function seedStory(state: CrmState): void {
  const ann = contact(state, { id: 3001, responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' }, createdAt);
  ann.location = 'Kyiv';
  ann.sourceType = ContactSourceType.Source1;
  ann.phones.push({ id: 6101, phone: '+15550100123' });
  ann.emails.push({ id: 6201, email: 'ann.kowal@example.com', isMain: true });
  ann.messengers.push({ id: 6301, typeId: 1, login: 'annkowal', isMainChatbot: false });
  ann.notes = new Map([[811, { id: 811, message: 'Prefers to be called in the morning.' }]]);
  ann.values = new Map([
    [310, '1990-05-14 00:00'],
    [311, '["Hiking","Tea"]'],
  ]);
  assign(state, ann, 15);
  const ben = contact(
    state,
    { id: 3002, responsibleId: 78, firstName: 'Ben', lastName: 'Ito', externalContactId: 'import-2026-11' },
    createdAt + 15 * minute,
  );
  ben.location = 'Lisbon';
  ben.sourceType = ContactSourceType.Source2;
  ben.phones.push({ id: 6102, phone: '15550100124' });
  ben.emails.push({ id: 6202, email: 'ben.ito@example.com', isMain: true });
}

/** Creates one of many contacts. Few distinct texts keep time and memory low for a hundred thousand contacts. */
function seedOne(state: CrmState, { random }: SeedSource, index: number): void {
  const firstName = pick(firstNames, random);
  const lastName = pick(lastNames, random);
  const age = Math.floor(random() * minutesOfYear);
  const one = contact(
    state,
    { id: newId(state), responsibleId: 77 + Math.floor(random() * 2), firstName, lastName },
    createdAt - age * minute,
  );
  one.updatedAt += Math.floor(random() * age) * minute;
  one.location = pick(locations, random);
  one.sourceType = pick(sourceTypes, random);
  one.phones.push({ id: newId(state), phone: `+1555${String(2_000_000 + index)}` });
  one.emails.push({
    id: newId(state),
    email: `${firstName}.${lastName}.${index}@example.com`.toLowerCase(),
    isMain: true,
  });
  const login = `${firstName}${lastName}${index}`.toLowerCase();
  if (index % 2 === 0) one.messengers.push({ id: newId(state), typeId: 1, login, isMainChatbot: false });
  if (index % 3 === 0) one.values = new Map([[311, pick(interests, random)]]);
  if (index % 4 === 0) assign(state, one, index % 8 === 0 ? 15 : 16);
}

function contact(state: CrmState, record: StoredContact['record'], at: number): StoredContact {
  const made = newContact(record, at);
  state.contacts.set(record.id, made);
  return made;
}

function assign({ tags }: CrmState, one: StoredContact, tagId: number): void {
  const tag = tags.get(tagId);
  if (tag) assignTag(one, tag);
}

function pick<Entry>(entries: readonly [Entry, ...Entry[]] | readonly Entry[], random: () => number): Entry {
  return entries[Math.floor(random() * entries.length)] as Entry;
}
