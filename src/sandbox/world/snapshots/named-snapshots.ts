import { maxNameLength, maxSnapshots } from '../../limits.ts';
import type { Capacity } from '../capacity.ts';
import type { WorldWriter } from '../stored/world-writer.ts';
import { recordsIn, type Snapshot } from './snapshot.ts';

/** The named snapshots of a world. */
export class NamedSnapshots {
  readonly #held = new Map<string, Snapshot>();
  readonly #capacity: Capacity;
  readonly #store: WorldWriter | undefined;

  /** @param store - store of the world, which keeps the snapshots too */
  constructor(capacity: Capacity, store: WorldWriter | undefined) {
    this.#capacity = capacity;
    this.#store = store;
  }

  get names(): string[] {
    return [...this.#held.keys()];
  }

  get(name: string): Snapshot {
    const held = this.#held.get(name);
    if (!held)
      throw new RangeError(
        `There is no snapshot '${name}'. To take this snapshot, send PUT /__sandbox/snapshots/${name}.`,
      );
    return held;
  }

  put(name: string, content: Snapshot): void {
    if (name === '' || name.length > maxNameLength)
      throw new RangeError(`The name of a snapshot must have 1 to ${maxNameLength} characters`);
    if (!this.#held.has(name) && this.#held.size >= maxSnapshots)
      throw new RangeError(
        `There are already ${maxSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`,
      );
    this.#capacity.check(recordsIn(content) - recordsIn(this.#held.get(name)));
    this.#store?.putSnapshot(name, content);
    this.load(name, content);
  }

  delete(name: string): void {
    const held = this.get(name);
    this.#store?.deleteSnapshot(name);
    this.#capacity.add(-recordsIn(held));
    this.#held.delete(name);
  }

  /** Adds a stored snapshot. */
  load(name: string, content: Snapshot): void {
    this.#capacity.add(recordsIn(content) - recordsIn(this.#held.get(name)));
    this.#held.set(name, content);
  }

  /** Removes all snapshots of a deleted world. */
  clear(): void {
    for (const held of this.#held.values()) this.#capacity.add(-recordsIn(held));
    this.#held.clear();
  }
}
