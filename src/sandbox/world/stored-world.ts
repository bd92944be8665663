import type * as z from 'zod';
import { type Change, Ledger } from '../data/ledger.ts';
import type { Part } from '../data/part.ts';
import { Settings } from '../data/settings.ts';
import type { Table } from '../data/table.ts';
import { type StoredToken, zStoredToken } from '../data/tokens.ts';
import { emptyState, partsOf, type SandboxState } from '../products/state.ts';
import type { StoredChange, StoredRecord } from '../store/store.ts';
import type { ClockState } from './clock.ts';
import type { Data } from './initial-state.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { zScenario } from './scenarios/scenario-fields.ts';
import { loadState, type Snapshot, saveState } from './snapshots/snapshot.ts';
import { placeOf, zClockState } from './snapshots/snapshot-schema.ts';

/** The clock of a world or a snapshot is stored as a record of this table. */
const clockTable = 'clock';
/** The scenario of a world is stored as a record of this table. */
const scenarioTable = 'scenario';
/** The issued access tokens of a world are stored as records of this table, with the name that the table has in memory. */
const tokenTable = 'tokens';
/** The only key of a table with one record. */
const onlyKey = 'only';

/** Schemas of the tables that are not part of a state. */
const schemas: { readonly [table: string]: z.ZodType } = {
  [clockTable]: zClockState,
  [scenarioTable]: zScenario,
  [tokenTable]: zStoredToken,
};

/** A stored record does not have the schema of its table. Nothing was changed. */
export class StoredRecordError extends Error {
  override readonly name = 'StoredRecordError';

  constructor(table: string, key: string | number, reason: string) {
    super(`The stored record ${key} of ${table} is damaged: ${reason}.`);
  }
}

/** Stored content of a world. */
export interface WorldContent {
  state: SandboxState;
  tokens: Iterable<StoredToken>;
  clock: ClockState;
  scenario: Scenario | undefined;
}

/** Stored data of a world. */
export interface StoredData extends Data, Pick<WorldContent, 'scenario' | 'tokens'> {}

type AnyTable = Table<string | number, object>;

/** The table behind a part of a state. */
function tableOf(part: Part): AnyTable {
  return (part instanceof Settings ? part.table : part) as AnyTable;
}

/** Yields all records of a world. */
export function* recordsOfWorld({ state, tokens, clock, scenario }: WorldContent): Generator<StoredRecord> {
  yield clockRecord(clock);
  if (scenario) yield { table: scenarioTable, key: onlyKey, value: scenario };
  for (const value of tokens) yield { table: tokenTable, key: value.token, value };
  for (const part of partsOf(state)) yield* recordsOf(part);
}

/** Yields all records of a snapshot. */
export function* recordsOfSnapshot({ state, clock }: Snapshot): Generator<StoredRecord> {
  yield clockRecord(clock);
  const ledger = new Ledger();
  for (const part of partsOf(loadState({ state }, emptyState(ledger), ledger))) yield* recordsOf(part);
}

export function clockRecord(state: ClockState): StoredRecord {
  return { table: clockTable, key: onlyKey, value: state };
}

/** Returns the changes to store for changes of a world. */
export function storedChanges(world: string, changes: readonly Change[]): StoredChange[] {
  return changes.map(({ table, key, value }) => ({ world, table, key, ...(value && { value }) }));
}

function* recordsOf(part: Part): Generator<StoredRecord> {
  for (const [key, value] of tableOf(part)) yield { table: part.name, key, value };
}

/** Rebuilds a state from stored records. */
export class StateLoader {
  readonly #ledger = new Ledger();
  readonly #state = emptyState(this.#ledger);
  readonly #tables = new Map(partsOf(this.#state).map((part) => [part.name, tableOf(part)]));
  #clock: ClockState | undefined;
  readonly #tokens: StoredToken[] = [];
  #scenario: Scenario | undefined;

  /** @throws `StoredRecordError` if this version has no such table, or if the record does not have its schema */
  add({ table, key, value }: StoredChange): void {
    if (table === undefined || key === undefined) return;
    const known = this.#tables.get(table);
    const schema = known?.entrySchema ?? schemas[table];
    if (!schema) throw new StoredRecordError(table, key, 'this version does not know the table');
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    if (issue) throw new StoredRecordError(table, key, `${placeOf(issue.path) || 'it'}: ${issue.message}`);
    if (known && known.keyOf(value as object) !== key)
      throw new StoredRecordError(table, key, 'its key is another one');
    if (table === clockTable) this.#clock = value as ClockState;
    else if (table === scenarioTable) this.#scenario = value as Scenario;
    else if (table === tokenTable) this.#tokens.push(value as StoredToken);
    else known?.put(value as object);
  }

  /** The data of a world. */
  finish(): StoredData {
    return {
      state: this.#state,
      ledger: this.#ledger,
      tokens: this.#tokens,
      clock: this.#clock,
      scenario: this.#scenario,
    };
  }

  /** Returns the data of a snapshot. */
  finishSnapshot(): Snapshot {
    return saveState(this.#state, this.#clock ?? { frozenAt: undefined, ahead: 0 });
  }
}
