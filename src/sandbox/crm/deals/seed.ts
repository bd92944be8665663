import { DealStatus } from '../../../../generated/crm/models.ts';
import type { SeedSource } from '../../seed-source.ts';
import { type CrmState, newId } from '../state.ts';
import type { StoredDeal } from './state.ts';

/** 2026-11-02 at 09:30, as in the examples of the specs. */
const storyBegins = Date.UTC(2026, 10, 2, 9, 30);

/** Adds the deal of the example story (spec/README.md). */
export function seedDeals({ deals }: CrmState, { shift }: SeedSource): void {
  const record = {
    id: 501,
    pipelineId: 1,
    stepId: 11,
    responsibleId: 77,
    name: 'Annual plan renewal',
    price: 1200,
    currency: 'EUR',
    sourceId: 4,
    attachments: ['/contracts/renewal.pdf'],
    status: DealStatus.Active,
  };
  deals.put({
    ...newDeal(record, storyBegins + Math.max(0, shift), 1),
    contacts: [3001],
    values: [
      { attributeId: 210, value: 'AC-2026-17' },
      { attributeId: 211, value: 'Team' },
    ],
    notes: [{ id: 801, message: 'Ann asked for a yearly invoice.' }],
  });
}

/** Adds one deal for every ten contacts of the seed. */
export function seedMoreDeals(state: CrmState, { size, now, random }: SeedSource): void {
  const contacts = [...state.contacts.keys()];
  for (let index = 0; index < Math.floor(size / 10); index += 1) {
    const record = {
      id: newId(state),
      pipelineId: 1,
      stepId: 11 + Math.floor(random() * 3),
      responsibleId: 77 + Math.floor(random() * 2),
      name: `Renewal ${index + 1}`,
      price: 100 + Math.floor(random() * 90) * 10,
      currency: 'EUR',
      status: DealStatus.Active,
    };
    const contactId = contacts[Math.floor(random() * contacts.length)];
    state.deals.put({ ...newDeal(record, now, index + 2), contacts: contactId === undefined ? [] : [contactId] });
  }
}

function newDeal(record: StoredDeal['record'], at: number, place: number): StoredDeal {
  return { record, createdAt: at, updatedAt: at, place, contacts: [], values: [], notes: [] };
}
