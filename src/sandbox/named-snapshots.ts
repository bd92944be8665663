import type { SnapshotInput } from './snapshot.ts';
import type { WorldStore } from './world-store.ts';

const mostSnapshots = 50;
const longestName = 100;

/** The snapshots of a world that have a name. */
export class NamedSnapshots {
  readonly #held = new Map<string, SnapshotInput>();
  /** Keeps them, too. */
  store: WorldStore | undefined;

  get names(): string[] {
    return [...this.#held.keys()];
  }

  get(name: string): SnapshotInput {
    const held = this.#held.get(name);
    if (!held) throw new RangeError(`There is no snapshot '${name}'. PUT /__sandbox/snapshots/${name} takes one.`);
    return held;
  }

  async put(name: string, content: SnapshotInput): Promise<void> {
    if (name === '' || name.length > longestName) throw new RangeError(`A name has 1 to ${longestName} characters`);
    if (!this.#held.has(name) && this.#held.size >= mostSnapshots)
      throw new RangeError(`There are ${mostSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`);
    await this.store?.putSnapshot(name, content);
    this.#held.set(name, content);
  }

  delete(name: string): void {
    this.get(name);
    this.store?.deleteSnapshot(name);
    this.#held.delete(name);
  }

  /** Takes over a stored snapshot. */
  adopt(name: string, content: SnapshotInput): void {
    this.#held.set(name, content);
  }
}
