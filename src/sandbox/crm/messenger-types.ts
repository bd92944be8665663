import * as z from 'zod';
import type { ContactMessengerTypeId } from '../../../generated/crm/models.ts';
import type { Context } from '../context.ts';
import { Table } from '../data/table.ts';
import type { CrmResource } from './resources.ts';

export interface MessengerTypesTables {
  /** The messenger types that are available for contacts. */
  messengerTypes: Table<number, { id: number }>;
}

const zMessengerType = z.object({ id: z.int() });

const choices = {
  'no-messenger-types': 'A sandbox without any messenger types accepts any `typeId`.',
  'messenger-type-fields':
    'A messenger type in a reply has only an `id`, which is the value for `typeId` of a messenger.',
} as const;

/** @internal */
export const messengerTypes: CrmResource<MessengerTypesTables, typeof choices, 'listMessengerTypes'> = {
  tables: (ledger) => ({
    messengerTypes: new Table(ledger, 'crm.messengerTypes', { key: ({ id }) => id, schema: zMessengerType }),
  }),

  seed(state) {
    for (const id of [1, 2, 3]) state.messengerTypes.put({ id });
  },

  choices,

  handlers: {
    listMessengerTypes: {
      list: { order: 'listed-by-age', entry: ['messenger-type-fields'] },
      handle: (_request, context) => ({ data: context.list(context.state.crm.messengerTypes.values()) }),
    },
  },
};

/** Refuses a messenger type that is not available for contacts. */
export function checkMessengerType(context: Context, typeId: ContactMessengerTypeId): void {
  const { messengerTypes } = context.state.crm;
  if (messengerTypes.size === 0) {
    context.chose('no-messenger-types');
    return;
  }
  const number = Number(typeId);
  if (messengerTypes.has(number) && String(number) === String(typeId)) return;
  const message = `typeId must be one of the messenger types that GET /messenger-types lists, not ${typeId}.`;
  context.refuse('contact-messenger-type-available', { message });
}
