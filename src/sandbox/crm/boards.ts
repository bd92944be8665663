import { type Board, type BoardSetting, BoardSettingName } from '../../../generated/crm/models.ts';
import { crmTitles } from '../../../generated/crm/reference.ts';
import { zBoard } from '../../../generated/crm/zod.ts';
import type { Context } from '../context.ts';
import { Table, valuesOf } from '../data/table.ts';
import { newId } from './common.ts';
import { given } from './records.ts';
import type { CrmResource } from './resources.ts';

export interface BoardsTables {
  boards: Table<number, Board>;
}

/** @internal */
export const boards: CrmResource<BoardsTables, Record<never, string>, 'listBoards' | 'createBoard' | 'getBoard'> = {
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

  handlers: {
    listBoards: {
      list: { order: 'listed-by-age' },
      handle: (_request, context) => ({ data: context.list(context.state.crm.boards.values()) }),
    },

    createBoard({ body = {} }, context) {
      const { crm } = context.state;
      const settings = body.settings?.map((setting) => complete(setting, context));
      const board: Board = { ...context.fields(zBoard, 'settings'), id: newId(crm), ...given({ settings }) };
      return { data: crm.boards.put(board) };
    },

    getBoard({ path }, context) {
      return { data: context.state.crm.boards.get(path.boardId) ?? context.notFound('board') };
    },
  },
};

function complete({ name, value }: BoardSetting, context: Context): { name: string; value: string } {
  if (name === undefined || value === undefined) {
    context.refuseByChoice('incomplete-entry', { message: 'A setting of a board needs a name and a value.' });
  }
  return { name, value };
}
