import type { ClockState } from './clock.ts';
import type { Change } from './data/ledger.ts';
import type { ListedFault } from './faults.ts';
import { storeRefusal } from './refusal.ts';
import type { SnapshotInput } from './snapshot.ts';
import type { SandboxState } from './state.ts';
import type { Store, StoredArea, StoredChange, StoredRecord } from './store.ts';
import {
  clockRecord,
  faultChange,
  lastUseRecord,
  recordsOfSnapshot,
  recordsOfWorld,
  storedChanges,
  type WorldContent,
} from './stored-world.ts';

/**
 * Stores the content of one world.
 *
 * If the store fails, each method throws a `Refusal`, or rejects with one, and no change is stored.
 */
export class WorldStore {
  readonly #store: Store;
  readonly #world: string;
  readonly #closed: AbortSignal;
  /** Changes while the world is stored for the first time. A part of a world must not be stored alone. */
  #early: StoredChange[] | undefined;

  /**
   * @param closed - once it aborts, nothing more is written
   * @param isStored - whether the store has the world already
   */
  constructor(store: Store, world: string, closed: AbortSignal, isStored = false) {
    this.#store = store;
    this.#world = world;
    this.#closed = closed;
    this.#early = isStored ? undefined : [];
  }

  /** Whether the store has the world. */
  get isStored(): boolean {
    return this.#early === undefined;
  }

  write(state: SandboxState, changes: readonly Change[]): void {
    this.#writeRecords(storedChanges(this.#world, state, changes));
  }

  writeFaults(changes: readonly (ListedFault | number)[]): void {
    this.#writeRecords(changes.map((change) => ({ world: this.#world, ...faultChange(change) })));
  }

  writeLastUse(at: number): void {
    this.#writeRecords([{ world: this.#world, ...lastUseRecord(at) }]);
  }

  writeClock(state: ClockState): void {
    this.#writeRecords([{ world: this.#world, ...clockRecord(state) }]);
  }

  /** Replaces all data of the world at once. */
  replaceNow(content: WorldContent): void {
    const world = this.#world;
    this.#write([{ world }, ...Array.from(recordsOfWorld(content), (record) => ({ world, ...record }))]);
    this.#early = undefined;
  }

  /** Replaces all data of the world in slices. */
  async replace(content: WorldContent): Promise<void> {
    await this.#replace({ world: this.#world }, recordsOfWorld(content));
    const early = this.#early ?? [];
    this.#early = undefined;
    if (early.length > 0) this.#write(early);
  }

  async putSnapshot(snapshot: string, content: SnapshotInput): Promise<void> {
    await this.#replace({ world: this.#world, snapshot }, recordsOfSnapshot(content));
  }

  deleteSnapshot(snapshot: string): void {
    this.#write([{ world: this.#world, snapshot }]);
  }

  async #replace(area: StoredArea, records: Iterable<StoredRecord>): Promise<void> {
    this.#closed.throwIfAborted();
    await this.#store.replace(area, untilClosed(records, this.#closed)).catch((error: unknown) => {
      this.#closed.throwIfAborted();
      fail(error);
    });
  }

  /** Deletes the world and its snapshots. */
  deleteWorld(snapshots: readonly string[]): void {
    const world = this.#world;
    this.#write([{ world }, ...snapshots.map((snapshot) => ({ world, snapshot }))]);
  }

  #writeRecords(changes: readonly StoredChange[]): void {
    this.#closed.throwIfAborted();
    if (this.#early) this.#early.push(...changes);
    else this.#write(changes);
  }

  #write(changes: readonly StoredChange[]): void {
    this.#closed.throwIfAborted();
    try {
      this.#store.write(changes);
    } catch (error) {
      fail(error);
    }
  }
}

/** Yields records, and fails before the first one and after the last one of a closed world. */
function* untilClosed(records: Iterable<StoredRecord>, closed: AbortSignal): Generator<StoredRecord> {
  for (const record of records) {
    closed.throwIfAborted();
    yield record;
  }
  closed.throwIfAborted();
}

function fail(error: unknown): never {
  throw storeRefusal(error);
}
