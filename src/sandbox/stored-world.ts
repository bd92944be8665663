import type { ClockState } from './clock.ts';
import { Ledger } from './data/ledger.ts';
import { Settings } from './data/settings.ts';
import type { Table } from './data/table.ts';
import { snapshotTable } from './named-snapshots.ts';
import { emptyState, partsOf, type SandboxState } from './state.ts';
import type { StoredChange } from './store.ts';
import type { World } from './world.ts';

/** The table and key under which the clock of a world is stored. */
const clockTable = 'clock';
const clockKey = 'state';

type AnyTable = Table<string | number, object>;

/** All tables of a state, also those of settings. */
function tablesOf(state: SandboxState): AnyTable[] {
  return partsOf(state).map((part) => (part instanceof Settings ? part.table : part) as AnyTable);
}

/** The changes that rebuild a world. The records are those of the moment of the call, whenever they are read. */
export function rebuildWorld(name: string, { state, clock }: World): Iterable<StoredChange> {
  const tables = tablesOf(state).map((table) => [table.name, [...table]] as const);
  const moment = clockChange(name, clock.save());
  return {
    *[Symbol.iterator]() {
      yield { world: name };
      yield moment;
      for (const [table, entries] of tables)
        for (const [key, value] of entries) yield { world: name, table, key, value };
    },
  };
}

/** The changes that rebuild the named snapshots of a world. They stay when its data is replaced. */
export function rebuildSnapshots(name: string, { snapshots }: World): Iterable<StoredChange> {
  const changes = snapshots.changes();
  return {
    *[Symbol.iterator]() {
      for (const change of changes) yield { world: name, ...change };
    },
  };
}

export function clockChange(world: string, state: ClockState): StoredChange {
  return { world, table: clockTable, key: clockKey, value: state };
}

/** Rebuilds a world from stored changes. */
export class WorldLoader {
  readonly #world: World;
  #state!: SandboxState;
  #ledger!: Ledger;
  #tables = new Map<string, AnyTable>();
  #clock: ClockState | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#clear();
  }

  /** @throws `Error` if there is no such table */
  apply({ table, key, value }: StoredChange): void {
    if (table === undefined || key === undefined) this.#clear();
    else if (table === snapshotTable) this.#world.snapshots.load(String(key), value);
    else if (table === clockTable) this.#clock = value as ClockState;
    else this.#write(table, key, value);
  }

  #write(table: string, key: string | number, value: unknown): void {
    const target = this.#tables.get(table);
    if (!target) throw new Error(`The store has a table that this version does not know: ${table}`);
    if (value === undefined) target.delete(key);
    else target.put(value as object);
  }

  /** Puts the rebuilt data into the world. */
  finish(): void {
    this.#world.adopt({ state: this.#state, ledger: this.#ledger });
    if (this.#clock) this.#world.clock.load(this.#clock);
  }

  #clear(): void {
    this.#ledger = new Ledger();
    this.#state = emptyState(this.#ledger);
    this.#tables = new Map(tablesOf(this.#state).map((table) => [table.name, table]));
  }
}
