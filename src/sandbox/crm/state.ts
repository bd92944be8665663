import { type BoardsState, emptyBoards } from './boards/state.ts';
import { type ContactsState, emptyContacts } from './contacts/state.ts';
import { type DealsState, emptyDeals } from './deals/state.ts';
import { emptyPayments, type PaymentsState } from './payments/state.ts';
import { emptyPipelines, type PipelinesState } from './pipelines/state.ts';
import { emptyTags, type TagsState } from './tags/state.ts';
import { emptyTeam, type TeamState } from './team/state.ts';

/**
 * The data of this part: plain objects and Maps, so that a snapshot is a copy. `record` is what replies carry; what else
 * the sandbox knows about it is beside it.
 */
export interface CrmState
  extends TeamState,
    PipelinesState,
    DealsState,
    ContactsState,
    TagsState,
    PaymentsState,
    BoardsState {
  /** The one counter for every new ID of this part. */
  nextId: number;
}

export function emptyCrmState(): CrmState {
  return {
    nextId: 1,
    ...emptyTeam(),
    ...emptyPipelines(),
    ...emptyDeals(),
    ...emptyContacts(),
    ...emptyTags(),
    ...emptyPayments(),
    ...emptyBoards(),
  };
}

/** The next free ID. */
export function newId(state: CrmState): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}
