import type { ClockState } from './clock.ts';
import type { Change } from './data/ledger.ts';
import type { ListedFault } from './faults.ts';
import { storeRefusal } from './refusal.ts';
import type { SnapshotInput } from './snapshot.ts';
import type { SandboxState } from './state.ts';
import type { Store, StoredChange } from './store.ts';
import {
  clockRecord,
  faultChange,
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

  constructor(store: Store, world: string) {
    this.#store = store;
    this.#world = world;
  }

  write(state: SandboxState, changes: readonly Change[]): void {
    this.#write(storedChanges(this.#world, state, changes));
  }

  writeFaults(changes: readonly (ListedFault | number)[]): void {
    this.#write(changes.map((change) => ({ world: this.#world, ...faultChange(change) })));
  }

  writeClock(state: ClockState): void {
    this.#write([{ world: this.#world, ...clockRecord(state) }]);
  }

  /** Replaces all data of the world at once. */
  replaceNow(content: WorldContent): void {
    const world = this.#world;
    this.#write([{ world }, ...Array.from(recordsOfWorld(content), (record) => ({ world, ...record }))]);
  }

  /** Replaces all data of the world in slices. */
  async replace(content: WorldContent): Promise<void> {
    await this.#store.replace({ world: this.#world }, recordsOfWorld(content)).catch(fail);
  }

  async putSnapshot(snapshot: string, content: SnapshotInput): Promise<void> {
    await this.#store.replace({ world: this.#world, snapshot }, recordsOfSnapshot(content)).catch(fail);
  }

  deleteSnapshot(snapshot: string): void {
    this.#write([{ world: this.#world, snapshot }]);
  }

  #write(changes: readonly StoredChange[]): void {
    try {
      this.#store.write(changes);
    } catch (error) {
      fail(error);
    }
  }
}

function fail(error: unknown): never {
  throw storeRefusal(error);
}
