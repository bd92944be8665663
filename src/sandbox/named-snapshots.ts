import type { SnapshotInput } from './snapshot.ts';
import type { WorldStore } from './world-store.ts';

const maxSnapshots = 50;
const maxNameLength = 100;

/** The named snapshots of a world. */
export class NamedSnapshots {
  readonly #held = new Map<string, SnapshotInput>();
  /** Store that also keeps the snapshots. */
  store: WorldStore | undefined;

  get names(): string[] {
    return [...this.#held.keys()];
  }

  get(name: string): SnapshotInput {
    const held = this.#held.get(name);
    if (!held) throw new RangeError(`There is no snapshot '${name}'. PUT /__sandbox/snapshots/${name} takes one.`);
    return held;
  }

  put(name: string, content: SnapshotInput): void {
    if (name === '' || name.length > maxNameLength) throw new RangeError(`A name has 1 to ${maxNameLength} characters`);
    if (!this.#held.has(name) && this.#held.size >= maxSnapshots)
      throw new RangeError(`There are ${maxSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`);
    this.store?.putSnapshot(name, content);
    this.load(name, content);
  }

  delete(name: string): void {
    this.get(name);
    this.store?.deleteSnapshot(name);
    this.#held.delete(name);
  }

  /** Adds a stored snapshot. */
  load(name: string, content: SnapshotInput): void {
    this.#held.set(name, content);
  }
}
