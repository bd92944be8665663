import { DealStatus } from '../../../../generated/crm/models.ts';
import type { SeedSource } from '../../seed-source.ts';
import { type CrmState, newId } from '../state.ts';
import { linkDealContact, type StoredDeal } from './state.ts';

/** 2026-11-02 at 09:30, as in the examples of the specs. */
const createdAt = Date.UTC(2026, 10, 2, 9, 30);

/** Adds the deal of the example story (spec/README.md). */
export function seedDeals(state: CrmState): void {
  const deal = addDeal(
    state,
    {
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
    },
    createdAt,
  );
  deal.values.set(210, 'AC-2026-17').set(211, 'Team');
  deal.notes.set(801, { id: 801, message: 'Ann asked for a yearly invoice.' });
  link(state, deal, 3001);
}

/** Adds one deal for every ten contacts of the seed. */
export function seedMoreDeals(state: CrmState, { size, now, random }: SeedSource): void {
  const contacts = [...state.contacts.keys()];
  for (let index = 0; index < Math.floor(size / 10); index += 1) {
    const deal = addDeal(
      state,
      {
        id: newId(state),
        pipelineId: 1,
        stepId: 11 + Math.floor(random() * 3),
        responsibleId: 77 + Math.floor(random() * 2),
        name: `Renewal ${index + 1}`,
        price: 100 + Math.floor(random() * 90) * 10,
        currency: 'EUR',
        status: DealStatus.Active,
      },
      now,
    );
    link(state, deal, contacts[Math.floor(random() * contacts.length)]);
  }
}

function addDeal(state: CrmState, record: StoredDeal['record'], at: number): StoredDeal {
  const deal: StoredDeal = {
    record,
    createdAt: at,
    updatedAt: at,
    contacts: new Set(),
    values: new Map(),
    notes: new Map(),
  };
  state.deals.set(record.id, deal);
  state.pipelines.get(record.pipelineId)?.steps.get(record.stepId)?.deals.add(record.id);
  return deal;
}

function link(state: CrmState, deal: StoredDeal, contactId: number | undefined): void {
  const contact = contactId === undefined ? undefined : state.contacts.get(contactId);
  if (contact) linkDealContact(deal, contact);
}
