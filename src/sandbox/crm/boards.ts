import { type Board, BoardSettingName } from '../../../generated/crm/models.ts';
import { crmTitles } from '../../../generated/crm/reference.ts';
import { zBoard } from '../../../generated/crm/zod.ts';
import type { Resource } from '../data/resource.ts';
import { Table, valuesOf } from '../data/table.ts';

export interface BoardsTables {
  boards: Table<number, Board>;
}

/** @internal */
export const boards: Resource<BoardsTables, Record<never, string>> = {
  tables: (ledger) => ({
    boards: new Table(ledger, 'crm.boards', {
      key: ({ id }) => id,
      schema: zBoard,
      title: (record) => valuesOf(record, crmTitles.Board),
      ids: ({ id }) => [id],
    }),
  }),

  seed(state) {
    state.boards.put({
      id: 61,
      name: 'Tasks',
      settings: [
        { name: BoardSettingName.Color, value: 'blue' },
        { name: BoardSettingName.ResponsibleUser, value: '77' },
      ],
    });
  },

  choices: {},
};
