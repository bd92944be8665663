import type * as Models from '../../../../generated/crm/models.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { SortedIndex } from '../../data/sorted-index.ts';
import { Table } from '../../data/table.ts';
import type { StoredValues } from '../values.ts';

export interface DealsState {
  deals: Table<number, StoredDeal>;
  /** IDs of the deals in each step. */
  dealsByStep: DealIndex;
  /** IDs of the deals of each contact. */
  dealsByContact: DealIndex;
  /** The deals by place in the list, last one first. */
  dealsByPlace: SortedIndex<number, Readonly<StoredDeal>>;
}

type DealIndex = GroupIndex<number, number, Readonly<StoredDeal>>;

export interface StoredDeal {
  /** Fields of replies, without `contact` and `attributes`, which replies build from the properties below. */
  record: Omit<Models.Deal, 'contact' | 'attributes'> & { pipelineId: number; stepId: number };
  createdAt: number;
  updatedAt: number;
  /** Place in the list: the deal with the highest number comes first. */
  place: number;
  /** Contact IDs, in order of linking. */
  contacts: readonly number[];
  values: StoredValues;
  notes: readonly Models.DealComment[];
}

export function emptyDeals(ledger: Ledger): DealsState {
  const idOf = ({ record }: Readonly<StoredDeal>): number => record.id;
  const deals = new Table<number, StoredDeal>(ledger, 'crm.deals', idOf);
  return {
    deals,
    dealsByStep: deals.watch(new GroupIndex(deals, ({ record }) => [record.stepId])),
    dealsByContact: deals.watch(new GroupIndex(deals, ({ contacts }) => contacts)),
    dealsByPlace: deals.watch(new SortedIndex(deals, { sort: ({ place }) => place, tie: idOf })),
  };
}
