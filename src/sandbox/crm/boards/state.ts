import { type Board, BoardSettingName } from '../../../../generated/crm/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface BoardsState {
  boards: Table<number, Board>;
}

export function emptyBoards(ledger: Ledger): BoardsState {
  return { boards: new Table(ledger, 'crm.boards', ({ id }) => id) };
}

export function seedBoards({ boards }: BoardsState): void {
  boards.put({
    id: 61,
    name: 'Tasks',
    settings: [
      { name: BoardSettingName.Color, value: 'blue' },
      { name: BoardSettingName.ResponsibleUser, value: '77' },
    ],
  });
}
