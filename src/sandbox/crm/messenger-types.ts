import * as z from 'zod';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface MessengerTypesTables {
  /** The messenger types that are available for contacts. */
  messengerTypes: Table<number, { id: number }>;
}

const zMessengerType = z.object({ id: z.int() });

const choices = {
  'no-messenger-types': 'A sandbox without any messenger types accepts any `typeId`.',
  'messenger-type-fields':
    'A messenger type in a response has only an `id`. A messenger of that type has the same value in `typeId`.',
} as const;

/** @internal */
export const messengerTypes: Resource<MessengerTypesTables, typeof choices> = {
  tables: (ledger) => ({
    messengerTypes: tableById<{ id: number }>(ledger, 'crm.messengerTypes', zMessengerType),
  }),

  seed(state) {
    for (const id of [1, 2, 3]) state.messengerTypes.put({ id });
  },

  choices,
};
