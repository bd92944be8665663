import { type BoardsState, emptyBoards } from './boards/state.ts';
import { type ContactsState, emptyContacts } from './contacts/state.ts';
import { type DealsState, emptyDeals } from './deals/state.ts';
import { emptyPayments, type PaymentsState } from './payments/state.ts';
import { emptyPipelines, type PipelinesState } from './pipelines/state.ts';
import { emptyTags, type TagsState } from './tags/state.ts';
import { emptyTeam, type TeamState } from './team/state.ts';

/**
 * CRM data: plain objects and Maps, so that a snapshot is a simple copy. `record` holds the fields of replies. Other
 * properties hold what the sandbox tracks in addition.
 */
export interface CrmState
  extends TeamState,
    PipelinesState,
    DealsState,
    ContactsState,
    TagsState,
    PaymentsState,
    BoardsState {
  /** Counter for all new CRM IDs. */
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

/** Returns the next free ID and increments the counter. */
export function newId(state: CrmState): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}
