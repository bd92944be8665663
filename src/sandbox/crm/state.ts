import type { Ledger } from '../data/ledger.ts';
import { Settings, takeId } from '../data/settings.ts';
import { type BoardsState, emptyBoards } from './boards/state.ts';
import { type ContactsState, emptyContacts } from './contacts/state.ts';
import { type DealsState, emptyDeals } from './deals/state.ts';
import { emptyPayments, type PaymentsState } from './payments/state.ts';
import { emptyPipelines, type PipelinesState } from './pipelines/state.ts';
import { emptyTags, type TagsState } from './tags/state.ts';
import { emptyTeam, type TeamState } from './team/state.ts';

/**
 * CRM data: tables of records. `record` holds the fields of replies. Other properties hold what the sandbox tracks in
 * addition.
 */
export interface CrmState
  extends TeamState,
    PipelinesState,
    DealsState,
    ContactsState,
    TagsState,
    PaymentsState,
    BoardsState {
  settings: Settings<CrmSettings>;
}

export interface CrmSettings {
  /** Counter for all new CRM IDs. */
  nextId: number;
}

export function emptyCrmState(ledger: Ledger): CrmState {
  return {
    settings: new Settings(ledger, 'crm.settings', { nextId: 1 }),
    ...emptyTeam(ledger),
    ...emptyPipelines(ledger),
    ...emptyDeals(ledger),
    ...emptyContacts(ledger),
    ...emptyTags(ledger),
    ...emptyPayments(ledger),
    ...emptyBoards(ledger),
  };
}

/** Returns the next free ID and increments the counter. */
export function newId({ settings }: CrmState): number {
  return takeId(settings);
}
