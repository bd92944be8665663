import type * as Models from '../../../../generated/crm/models.ts';
import { zBoard } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { given } from '../records.ts';
import { newId } from '../state.ts';

export const boardHandlers: Pick<CrmHandlers, 'listBoards' | 'createBoard' | 'getBoard'> = {
  listBoards: {
    list: { order: 'listed-by-age' },
    handle: (_request, context) => ({ data: context.list(context.state.crm.boards.values()) }),
  },

  createBoard({ body = {} }, context) {
    const { crm } = context.state;
    const settings = body.settings?.map((setting) => complete(setting, context));
    const board: Models.Board = { ...context.own(zBoard), id: newId(crm), ...given({ name: body.name, settings }) };
    return { data: crm.boards.put(board) };
  },

  getBoard({ path }, context) {
    return { data: context.state.crm.boards.get(path.boardId) ?? context.notFound('board') };
  },
};

function complete({ name, value }: Models.BoardSetting, context: Context): { name: string; value: string } {
  if (name === undefined || value === undefined) {
    context.refuseByChoice('incomplete-entry', { message: 'A setting of a board needs a name and a value.' });
  }
  return { name, value };
}
