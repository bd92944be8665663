import type { Board, BoardSetting } from '../../../generated/crm/models.ts';
import { zBoard } from '../../../generated/crm/zod.ts';
import { newId } from '../data/settings.ts';
import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { given } from './records.ts';

/** @internal */
export const boardHandlers = {
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
    return { data: context.find(context.state.crm.boards, path.boardId, 'board') };
  },
} satisfies Partial<Handlers['crm']>;

function complete({ name, value }: BoardSetting, context: Context): { name: string; value: string } {
  if (name === undefined || value === undefined)
    context.rejectByChoice('incomplete-entry', 'Each board setting needs a name and a value.');
  return { name, value };
}
