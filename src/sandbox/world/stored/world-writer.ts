import { messageOf } from '../../../shared/message-of.ts';
import { type Change, Ledger } from '../../data/ledger.ts';
import { Settings } from '../../data/settings.ts';
import type { StoredToken } from '../../data/tokens.ts';
import { emptyState, partsOf, type SandboxState } from '../../products/state.ts';
import { rejection } from '../../rules/rejection.ts';
import type { Store, StoredArea, StoredChange, StoredRecord } from '../../store/store.ts';
import type { ClockState } from '../clock.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { loadState, type Snapshot } from '../snapshots/snapshot.ts';

/** Names of the tables that are not part of a state. The tables of the clock and the scenario have one record each. */
export const storedTables = { clock: 'clock', scenario: 'scenario', tokens: 'tokens' } as const;

const onlyKey = 'only';

/** Everything that a store keeps for a world, except its snapshots. */
export interface WorldContent {
  state: SandboxState;
  tokens: Iterable<StoredToken>;
  clock: ClockState;
  scenario: Scenario | undefined;
}

/** Stores the content of one world. If the store fails, each method throws a `Rejection`, and no change is stored. */
export class WorldWriter {
  readonly #store: Store;
  readonly #world: string;

  constructor(store: Store, world: string) {
    this.#store = store;
    this.#world = world;
  }

  write(changes: readonly Change[]): void {
    this.#write(changes.map(({ table, key, value }) => ({ world: this.#world, table, key, ...(value && { value }) })));
  }

  writeClock(clock: ClockState): void {
    this.#write([{ world: this.#world, ...clockRecord(clock) }]);
  }

  /** Replaces all data of the world. */
  replace({ state, tokens, clock, scenario }: WorldContent): void {
    this.#replace({ world: this.#world }, [
      clockRecord(clock),
      ...(scenario ? [{ table: storedTables.scenario, key: onlyKey, value: scenario }] : []),
      ...Array.from(tokens, (value) => ({ table: storedTables.tokens, key: value.token, value })),
      ...recordsOf(state),
    ]);
  }

  putSnapshot(snapshot: string, { state, clock }: Snapshot): void {
    const ledger = new Ledger();
    const tables = loadState({ state }, emptyState(ledger), ledger);
    this.#replace({ world: this.#world, snapshot }, [clockRecord(clock), ...recordsOf(tables)]);
  }

  deleteSnapshot(snapshot: string): void {
    this.#write([{ world: this.#world, snapshot }]);
  }

  /** Deletes the world and its snapshots. */
  deleteWorld(snapshots: readonly string[]): void {
    const world = this.#world;
    this.#write([{ world }, ...snapshots.map((snapshot) => ({ world, snapshot }))]);
  }

  #replace(area: StoredArea, records: readonly StoredRecord[]): void {
    this.#write([area, ...records.map((record) => ({ ...area, ...record }))]);
  }

  #write(changes: readonly StoredChange[]): void {
    try {
      this.#store.write(changes);
    } catch (error) {
      const message = `The sandbox could not store the change, so nothing has changed. ${messageOf(error)}`;
      throw rejection(507, message, 'store-failed');
    }
  }
}

function clockRecord(value: ClockState): StoredRecord {
  return { table: storedTables.clock, key: onlyKey, value };
}

function* recordsOf(state: SandboxState): Generator<StoredRecord> {
  for (const part of partsOf(state))
    for (const [key, value] of part instanceof Settings ? part.table : part) yield { table: part.name, key, value };
}
