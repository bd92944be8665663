import {
  AttributeStatus,
  AttributeType,
  BoardSettingName,
  type Deal,
  DealStatus,
  type FailReason,
  type Step,
  StepColor,
  StepNotifyIn,
} from '../../../generated/crm/models.ts';
import { defaultFailReason } from '../handlers/crm/facts.ts';
import { type CrmState, linkDealContact, type StoredDeal, type StoredPipeline } from '../state/crm.ts';
import { seedContacts } from './contacts.ts';
import type { SeedSource } from './seed.ts';

/** New IDs begin here, above those of the story. */
const firstNewId = 10_001;

/** Created on 2026-11-02 at 09:30, as the story of the examples tells. */
const createdAt = Date.UTC(2026, 10, 2, 9, 30);

/** Fills this part with the story of the examples (spec/README.md), and with `size` contacts and a tenth as many deals. */
export function seedCrm(state: CrmState, source: SeedSource): void {
  state.nextId = firstNewId;
  seedTeam(state);
  seedPipelines(state);
  for (const id of [1, 2, 3]) state.messengerTypes.add(id);
  seedContacts(state, source);
  seedDeals(state);
  state.boards.set(61, {
    id: 61,
    name: 'Tasks',
    settings: [
      { name: BoardSettingName.Color, value: 'blue' },
      { name: BoardSettingName.ResponsibleUser, value: '77' },
    ],
  });
  seedMoreDeals(state, source);
}

/** Olena Marsh (77), Tom Berg (78), and two who are not listed: one has left, one has not been invited. */
function seedTeam({ users }: CrmState): void {
  users.set(77, { record: { id: 77 }, isActive: true, isInvited: true });
  users.set(78, { record: { id: 78 }, isActive: true, isInvited: true });
  users.set(79, { record: { id: 79 }, isActive: false, isInvited: true });
  users.set(80, { record: { id: 80 }, isActive: true, isInvited: false });
}

function seedPipelines({ pipelines }: CrmState): void {
  const renewals = pipeline(1, 'Renewals', 1, [
    {
      id: 11,
      name: 'New',
      order: 1,
      color: StepColor.HexBlack,
      addEndHours: 8,
      notifyIn: StepNotifyIn.Hours1,
      description: 'Fresh requests',
    },
    {
      id: 12,
      name: 'Offer sent',
      order: 2,
      color: StepColor.Black,
      addEndHours: null,
      notifyIn: StepNotifyIn.Zero,
      description: null,
    },
    {
      id: 13,
      name: 'Contract',
      order: 3,
      color: StepColor.Black,
      addEndHours: null,
      notifyIn: StepNotifyIn.Days2,
      description: null,
    },
  ]);
  const active = { mandatory: false, status: AttributeStatus.Active };
  renewals.attributes.set(210, { id: 210, name: 'Contract number', type: AttributeType.Text, order: 1, ...active });
  renewals.attributes.set(211, {
    id: 211,
    name: 'Plan',
    type: AttributeType.Select,
    options: ['Basic', 'Team', 'Enterprise'],
    order: 2,
    ...active,
  });
  addFailReason(renewals, { id: 31, name: defaultFailReason, isEnabled: true, order: 1 }, true);
  addFailReason(renewals, { id: 32, name: 'Chose a competitor', isEnabled: true, order: 2 }, false);
  const onboarding = pipeline(2, 'Onboarding', 2, [{ id: 21, name: 'Kick-off', order: 1, color: StepColor.Black }]);
  addFailReason(onboarding, { id: 33, name: defaultFailReason, isEnabled: true, order: 1 }, true);
  for (const one of [renewals, onboarding]) pipelines.set(one.record.id, one);
}

function pipeline(id: number, name: string, order: number, steps: Step[]): StoredPipeline {
  return {
    record: { id, name, order },
    steps: new Map(steps.map((record) => [record.id, { record, deals: new Set() }])),
    attributes: new Map(),
    failReasons: new Map(),
  };
}

function addFailReason({ failReasons }: StoredPipeline, record: FailReason, isDefault: boolean): void {
  failReasons.set(record.id, { record, isDefault });
}

function seedDeals(state: CrmState): void {
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
  state.payments.set(901, { record: {}, dealId: 501, contactId: 3001 });
}

function seedMoreDeals(state: CrmState, { size, now, random }: SeedSource): void {
  const contacts = [...state.contacts.keys()];
  for (let index = 0; index < Math.floor(size / 10); index += 1) {
    const id = state.nextId;
    state.nextId += 1;
    const deal = addDeal(
      state,
      {
        id,
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

function link(state: CrmState, deal: StoredDeal, contactId: Deal['id'] | undefined): void {
  const contact = contactId === undefined ? undefined : state.contacts.get(contactId);
  if (contact) linkDealContact(deal, contact);
}
