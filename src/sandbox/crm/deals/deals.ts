import * as z from 'zod';
import type * as Models from '../../../../generated/crm/models.ts';
import { DealStatus } from '../../../../generated/crm/models.ts';
import { crmTitles } from '../../../../generated/crm/reference.ts';
import { zDeal, zDealComment } from '../../../../generated/crm/zod.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Resource } from '../../data/resource.ts';
import type { SeedSource } from '../../data/seed-source.ts';
import { newId } from '../../data/settings.ts';
import { Table, valuesOf, type Watcher } from '../../data/table.ts';
import type { CrmCommonTables } from '../common.ts';
import type { ContactsTables } from '../contacts/contacts.ts';
import { type StoredValues, zStoredValues } from '../values.ts';

export interface DealsTables {
  deals: Table<number, StoredDeal>;
  /** IDs of deals, by step ID. */
  dealsByStep: DealIndex;
  /** IDs of deals, by contact ID. */
  dealsByContact: DealIndex;
  /** `place` of the first deal in the list. */
  highestPlace: HighestPlace;
}

/** Highest `place` that any deal has had. A deal that moves to the top of the list gets a higher `place`. */
class HighestPlace implements Watcher<number, Readonly<StoredDeal>> {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  changed(_id: number, _before: Readonly<StoredDeal> | undefined, after: Readonly<StoredDeal> | undefined): void {
    if (after) this.#value = Math.max(this.#value, after.place);
  }
}

type DealIndex = GroupIndex<number, number, Readonly<StoredDeal>>;

export interface StoredDeal {
  /** Response fields, except `contact` and `attributes`, which are built from the properties below. */
  record: Omit<Models.Deal, 'contact' | 'attributes'> & { pipelineId: number; stepId: number };
  /** Position in the list. The deal with the highest number comes first. */
  place: number;
  /** Contact IDs, in order of linking. */
  contacts: readonly number[];
  values: StoredValues;
  notes: readonly Models.DealComment[];
}

const zStoredDeal = z.object({
  record: zDeal.extend({ pipelineId: z.int(), stepId: z.int() }),
  place: z.number(),
  contacts: z.array(z.int()),
  values: zStoredValues,
  notes: z.array(zDealComment),
});

const choices = {
  'new-deal':
    "A new deal is active and comes first in the list. If the name or price is omitted, the deal has none. If the currency is omitted, the account's currency is used.",
  'deal-order':
    'Deals without a display order come first, most recently created or updated first. The other deals follow in display order.',
  'deal-order-emptied': 'If an update omits `order`, the deal loses its display order.',
  'deal-filter-ignored':
    'In the deal filter, only `limit` and `offset` have an effect. If `limit` is omitted, the response contains all deals.',
  'deal-filter-paging':
    'In the deal filter, `limit` must be a positive integer, and `offset` must be 0 or a positive integer. A `limit` of 0 counts as missing. A request with other values returns status 422.',
  'deal-values-as-pairs': 'A deal in a response contains its attribute values as pairs of `attributeId` and `value`.',
  'fail-pipeline': 'If a request marks a deal as failed, the fail reason comes from the pipeline in the request.',
  'fail-reason-disabled': 'A request that marks a deal as failed with a disabled fail reason returns status 422.',
  'fail-comment-ignored': 'A failure comment is ignored unless the request marks the deal as failed.',
  'fail-reason-cleared':
    'Changing the status of a deal from 2 (failed) to another value removes its fail reason and failure comment.',
  'change-pipeline-incomplete': 'A request to move a deal returns status 422 if `pipelineId` or `stepId` is missing.',
  'deal-deleted': 'Deleting a deal removes the deal from its contacts. The contacts and payments are kept.',
  'contact-linked-twice':
    'Adding a contact to a deal that already has the contact changes nothing. The response is the same as the first time.',
  'values-follow-pipeline':
    "A deal in a response contains only values of attributes that its pipeline defines. Values of a deleted attribute disappear. Values of another pipeline's attributes reappear if the deal returns to that pipeline.",
  'value-replaced': 'If a deal already has a value for an attribute, adding a value replaces the existing one.',
} as const;

/** The tables that the seed reads and fills. */
type SeedState = DealsTables & ContactsTables & CrmCommonTables;

/** @internal */
export const deals: Resource<DealsTables, typeof choices, SeedState> = {
  tables(ledger) {
    const idOf = ({ record }: Readonly<StoredDeal>): number => record.id;
    const table = new Table<number, StoredDeal>(ledger, 'crm.deals', {
      key: idOf,
      schema: zStoredDeal,
      title: ({ record }) => valuesOf(record, crmTitles.Deal),
      ids: ({ record, notes }) => [record, ...notes].map(({ id }) => id),
    });
    return {
      deals: table,
      dealsByStep: table.watch(new GroupIndex(({ record }) => [record.stepId])),
      dealsByContact: table.watch(new GroupIndex(({ contacts }) => contacts)),
      highestPlace: table.watch(new HighestPlace()),
    };
  },

  seed(state, source) {
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
    state.deals.put({
      ...newDeal(record, 1),
      contacts: [3001],
      values: [
        { attributeId: 210, value: 'AC-2026-17' },
        { attributeId: 211, value: 'Team' },
      ],
      notes: [{ id: 801, message: 'Ann asked for a yearly invoice.' }],
    });
    seedMoreDeals(state, source);
  },

  choices,
};

/** Adds one deal for every ten contacts in the seed. */
function seedMoreDeals(state: SeedState, { size, random }: SeedSource): void {
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
    state.deals.put({ ...newDeal(record, index + 2), contacts: contactId === undefined ? [] : [contactId] });
  }
}

/** Returns a deal without contacts, attribute values or notes. */
export function newDeal(record: StoredDeal['record'], place: number): StoredDeal {
  return { record, place, contacts: [], values: [], notes: [] };
}
