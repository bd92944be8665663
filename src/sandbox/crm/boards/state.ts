import { type Board, BoardSettingName } from '../../../../generated/crm/models.ts';

export interface BoardsState {
  boards: Map<number, Board>;
}

export function emptyBoards(): BoardsState {
  return { boards: new Map() };
}

export function seedBoards({ boards }: BoardsState): void {
  boards.set(61, {
    id: 61,
    name: 'Tasks',
    settings: [
      { name: BoardSettingName.Color, value: 'blue' },
      { name: BoardSettingName.ResponsibleUser, value: '77' },
    ],
  });
}
