import type { Change } from '../data/ledger.ts';
import { storeRejection } from '../rules/rejection.ts';
import type { Store, StoredArea, StoredChange, StoredRecord } from '../store/store.ts';
import type { ClockState } from './clock.ts';
import type { Snapshot } from './snapshots/snapshot.ts';
import { clockRecord, recordsOfSnapshot, recordsOfWorld, storedChanges, type WorldContent } from './stored-world.ts';

/** Stores the content of one world. If the store fails, each method throws a `Rejection`, and no change is stored. */
export class WorldStore {
  readonly #store: Store;
  readonly #world: string;

  constructor(store: Store, world: string) {
    this.#store = store;
    this.#world = world;
  }

  write(changes: readonly Change[]): void {
    this.#write(storedChanges(this.#world, changes));
  }

  writeClock(state: ClockState): void {
    this.#write([{ world: this.#world, ...clockRecord(state) }]);
  }

  /** Replaces all data of the world. */
  replace(content: WorldContent): void {
    this.#replace({ world: this.#world }, recordsOfWorld(content));
  }

  putSnapshot(snapshot: string, content: Snapshot): void {
    this.#replace({ world: this.#world, snapshot }, recordsOfSnapshot(content));
  }

  deleteSnapshot(snapshot: string): void {
    this.#write([{ world: this.#world, snapshot }]);
  }

  /** Deletes the world and its snapshots. */
  deleteWorld(snapshots: readonly string[]): void {
    const world = this.#world;
    this.#write([{ world }, ...snapshots.map((snapshot) => ({ world, snapshot }))]);
  }

  #replace(area: StoredArea, records: Iterable<StoredRecord>): void {
    this.#write([area, ...Array.from(records, (record) => ({ ...area, ...record }))]);
  }

  #write(changes: readonly StoredChange[]): void {
    try {
      this.#store.write(changes);
    } catch (error) {
      throw storeRejection(error);
    }
  }
}
