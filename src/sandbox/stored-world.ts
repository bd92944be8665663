import type { Data } from './beginning.ts';
import type { ClockState } from './clock.ts';
import { type Change, Ledger } from './data/ledger.ts';
import type { Part } from './data/part.ts';
import { Settings } from './data/settings.ts';
import type { Table } from './data/table.ts';
import type { ListedFault } from './faults.ts';
import type { Scenario } from './scenario.ts';
import { type SnapshotInput, saveState } from './snapshot.ts';
import { emptyState, partsOf, type SandboxState } from './state.ts';
import type { StoredChange, StoredRecord } from './store.ts';

/** The clock of a world or a snapshot is stored as a record of this table. */
const clockTable = 'clock';
/** The faults of a world are stored as records of this table, by ID. */
const faultTable = 'faults';
/** The scenario of a world is stored as a record of this table. */
const scenarioTable = 'scenario';
/** The time of the last use of a world is stored as a record of this table. */
const lastUseTable = 'lastUse';
/** The names of the tables that a snapshot contains are stored as a record of this table. */
const contentsTable = 'contents';
/** The only key of a table with one record. */
const onlyKey = 'only';

/** Stored content of a world. */
export interface WorldContent {
  state: SandboxState;
  clock: ClockState;
  faults: readonly ListedFault[];
  scenario: Scenario | undefined;
  /** Time of the last use, in milliseconds of real time. */
  lastUsed: number;
}

/** Stored data of a world, with faults and scenario. */
export interface StoredData extends Data, Pick<WorldContent, 'faults' | 'scenario'> {
  lastUsed: number | undefined;
}

type AnyTable = Table<string | number, object>;
type Fields = { readonly [field: string]: unknown };

/** The table behind a part of a state. */
function tableOf(part: Part): AnyTable {
  return (part instanceof Settings ? part.table : part) as AnyTable;
}

/** Yields all records of a world. */
export function* recordsOfWorld({ state, clock, faults, scenario, lastUsed }: WorldContent): Generator<StoredRecord> {
  yield clockRecord(clock);
  yield lastUseRecord(lastUsed);
  if (scenario) yield { table: scenarioTable, key: onlyKey, value: scenario };
  for (const fault of faults) yield { table: faultTable, key: fault.id, value: fault };
  for (const part of partsOf(state)) yield* recordsOf(part);
}

/** Yields all records of a snapshot. */
export function* recordsOfSnapshot({ state = {}, clock }: SnapshotInput): Generator<StoredRecord> {
  if (clock) yield clockRecord(clock);
  const names: string[] = [];
  for (const part of partsOf(emptyState(new Ledger()))) {
    const content = part.name.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], state);
    if (content === undefined) continue;
    names.push(part.name);
    part.load(content);
    yield* recordsOf(part);
  }
  yield { table: contentsTable, key: onlyKey, value: names };
}

export function clockRecord(state: ClockState): StoredRecord {
  return { table: clockTable, key: onlyKey, value: state };
}

export function lastUseRecord(at: number): StoredRecord {
  return { table: lastUseTable, key: onlyKey, value: { at } };
}

/** Returns the change to store for a changed fault, or for the ID of a removed one. */
export function faultChange(change: ListedFault | number): Omit<StoredChange, 'world'> {
  return typeof change === 'number'
    ? { table: faultTable, key: change }
    : { table: faultTable, key: change.id, value: change };
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
  readonly #faults: ListedFault[] = [];
  #scenario: Scenario | undefined;
  #lastUsed: number | undefined;
  #contents: readonly string[] = [];

  /** @throws `Error` if this version has no such table */
  add({ table, key, value }: StoredChange): void {
    if (table === undefined || key === undefined) return;
    if (table === clockTable) this.#clock = value as ClockState;
    else if (table === faultTable) this.#faults.push(value as ListedFault);
    else if (table === scenarioTable) this.#scenario = value as Scenario;
    else if (table === lastUseTable) this.#lastUsed = (value as { at: number }).at;
    else if (table === contentsTable) this.#contents = value as string[];
    else this.#table(table).put(value as object);
  }

  /** The data of a world. */
  finish(): StoredData {
    return {
      state: this.#state,
      ledger: this.#ledger,
      clock: this.#clock,
      faults: this.#faults,
      scenario: this.#scenario,
      lastUsed: this.#lastUsed,
    };
  }

  /** Returns the data of a snapshot, with only the tables that it contains. */
  finishSnapshot(): SnapshotInput {
    const { state, clock } = this.finish();
    const saved = saveState(state, { frozenAt: undefined, ahead: 0 }).state as unknown as Record<string, Fields>;
    const contents: { [area: string]: unknown } = {};
    for (const name of this.#contents) {
      const [area = '', table] = name.split('.');
      contents[area] = table === undefined ? saved[area] : { ...Object(contents[area]), [table]: saved[area]?.[table] };
    }
    return { state: contents, ...(clock && { clock }) };
  }

  #table(name: string): AnyTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`The store has a table that this version does not know: ${name}`);
    return table;
  }
}
