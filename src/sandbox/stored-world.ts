import type { Data } from './beginning.ts';
import type { ClockState } from './clock.ts';
import { type Change, Ledger } from './data/ledger.ts';
import type { Part } from './data/part.ts';
import { Settings } from './data/settings.ts';
import type { ListField, Table } from './data/table.ts';
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

/**
 * Longest list that is stored in its record. Items of longer lists are stored separately, so that a new item does not rewrite
 * the others.
 */
const maxInRecord = 8;

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

/** Returns all records of a world, to read in steps. They are the records at the time of the call. */
export function recordsOfWorld({ state, clock, faults, scenario, lastUsed }: WorldContent): Iterable<StoredRecord> {
  const tables = partsOf(state).map((part) => [tableOf(part), [...tableOf(part)]] as const);
  return {
    *[Symbol.iterator]() {
      yield clockRecord(clock);
      yield lastUseRecord(lastUsed);
      if (scenario) yield { table: scenarioTable, key: onlyKey, value: scenario };
      for (const fault of faults) yield { table: faultTable, key: fault.id, value: fault };
      for (const [table, entries] of tables) for (const [key, value] of entries) yield* recordsOf(table, key, value);
    },
  };
}

/** Returns all records of a snapshot, to read in steps. */
export function* recordsOfSnapshot({ state = {}, clock }: SnapshotInput): Generator<StoredRecord> {
  if (clock) yield clockRecord(clock);
  const names: string[] = [];
  for (const part of partsOf(emptyState(new Ledger()))) {
    const content = part.name.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], state);
    if (content === undefined) continue;
    names.push(part.name);
    part.load(content);
    for (const [key, value] of tableOf(part)) yield* recordsOf(tableOf(part), key, value);
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
export function storedChanges(world: string, state: SandboxState, changes: readonly Change[]): StoredChange[] {
  const lists = listsOf(state);
  const stored: StoredChange[] = [];
  for (const change of changes)
    for (const one of recordChanges(change, lists.get(change.table) ?? noLists)) stored.push({ world, ...one });
  return stored;
}

const noLists: readonly ListField[] = [];
const known = new WeakMap<SandboxState, ReadonlyMap<string, readonly ListField[]>>();

/** Returns the lists that can grow long, by table. Cached, because every write needs them. */
function listsOf(state: SandboxState): ReadonlyMap<string, readonly ListField[]> {
  const found = known.get(state);
  if (found) return found;
  const lists = new Map(partsOf(state).map((part) => [part.name, tableOf(part).lists]));
  known.set(state, lists);
  return lists;
}

function* recordsOf({ name: table, lists }: AnyTable, key: string | number, value: object): Generator<StoredRecord> {
  const long = lists.some(({ field }) => isLong(value, field)) ? lists.filter(({ field }) => isLong(value, field)) : [];
  yield { table, key, value: withoutLists(value, long) };
  for (const { field, idOf } of long)
    for (const item of listIn(value, field)) yield { table: `${table}.${field}`, key, item: idOf(item), value: item };
}

function* recordChanges(
  { table, key, value, before }: Change,
  lists: readonly ListField[],
): Generator<Omit<StoredChange, 'world'>> {
  const long = value ? lists.filter(({ field }) => isLong(value, field)) : [];
  yield { table, key, ...(value && { value: withoutLists(value, long) }) };
  for (const list of lists) {
    const place = { table: `${table}.${list.field}`, key };
    const stored = before && isLong(before, list.field) ? listIn(before, list.field) : [];
    const wanted = value && long.includes(list) ? listIn(value, list.field) : [];
    if (stored === wanted) continue;
    const keeps = keepsOrder(stored, wanted, list);
    const remaining = new Set(keeps ? wanted.map(list.idOf) : []);
    for (const item of stored) if (!remaining.has(list.idOf(item))) yield { ...place, item: list.idOf(item) };
    const known = new Set(keeps ? stored : []);
    for (const item of wanted) if (!known.has(item)) yield { ...place, item: list.idOf(item), value: item };
  }
}

/** Whether a list keeps the remaining items of another list in order, followed by new ones. */
function keepsOrder(stored: readonly unknown[], wanted: readonly unknown[], { idOf }: ListField): boolean {
  if (stored.length === 0) return true;
  const present = new Set(wanted.map(idOf));
  const kept = stored.map(idOf).filter((id) => present.has(id));
  return kept.every((id, place) => id === idOf(wanted[place]));
}

function isLong(value: object, field: string): boolean {
  return listIn(value, field).length > maxInRecord;
}

function listIn(value: object, field: string): readonly unknown[] {
  const list: unknown = (value as Fields)[field];
  return Array.isArray(list) ? list : none;
}

const none: readonly unknown[] = [];

function withoutLists(value: object, lists: readonly ListField[]): object {
  return lists.length === 0 ? value : { ...value, ...Object.fromEntries(lists.map(({ field }) => [field, []])) };
}

/** Rebuilds a state from stored records. */
export class StateLoader {
  readonly #ledger = new Ledger();
  readonly #state = emptyState(this.#ledger);
  readonly #tables = new Map(partsOf(this.#state).map((part) => [part.name, tableOf(part)]));
  /** Items of long lists, by the name of the list and the key of its record. */
  readonly #lists = new Map<string, Map<string | number, unknown[]>>();
  #clock: ClockState | undefined;
  readonly #faults: ListedFault[] = [];
  #scenario: Scenario | undefined;
  #lastUsed: number | undefined;
  #contents: readonly string[] = [];

  /** @throws `Error` if this version has no such table */
  add({ table, key, item, value }: StoredChange): void {
    if (table === undefined || key === undefined) return;
    if (table === clockTable) this.#clock = value as ClockState;
    else if (table === faultTable) this.#faults.push(value as ListedFault);
    else if (table === scenarioTable) this.#scenario = value as Scenario;
    else if (table === lastUseTable) this.#lastUsed = (value as { at: number }).at;
    else if (table === contentsTable) this.#contents = value as string[];
    else if (item === undefined) this.#table(table).put(value as object);
    else this.#addItem(table, key, value);
  }

  /** The data of a world. */
  finish(): StoredData {
    for (const [name, lists] of this.#lists) {
      const end = name.lastIndexOf('.');
      const table = this.#table(name.slice(0, end));
      for (const [key, items] of lists) {
        const record = table.get(key);
        if (!record) throw new Error(`The store has items of ${name} without their record ${key}`);
        table.put({ ...record, [name.slice(end + 1)]: items });
      }
    }
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

  #addItem(list: string, key: string | number, value: unknown): void {
    const lists = this.#lists.get(list) ?? new Map<string | number, unknown[]>();
    this.#lists.set(list, lists);
    const items = lists.get(key) ?? [];
    lists.set(key, items);
    items.push(value);
  }

  #table(name: string): AnyTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`The store has a table that this version does not know: ${name}`);
    return table;
  }
}
