import { type Board, BoardSettingName } from '../../../generated/crm/models.ts';
import { crmTitles } from '../../../generated/crm/reference.ts';
import { zBoard } from '../../../generated/crm/zod.ts';
import type { Resource } from '../data/resource.ts';
import { type Table, tableById } from '../data/table.ts';

export interface BoardsTables {
  boards: Table<number, Board>;
}

/** @internal */
export const boards: Resource<BoardsTables, Record<never, string>> = {
  tables: (ledger) => ({
    boards: tableById<Board>(ledger, 'crm.boards', zBoard, crmTitles.Board),
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
