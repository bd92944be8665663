import { fullRefusal } from './refusal.ts';
import { inSlices, type Steps } from './slices.ts';
import type { SnapshotInput } from './snapshot.ts';
import { sizeOf } from './world-size.ts';
import type { WorldStore } from './world-store.ts';

const maxSnapshots = 50;
const maxNameLength = 100;

/** The named snapshots of a world. */
export class NamedSnapshots {
  readonly #held = new Map<string, SnapshotInput>();
  /** Sizes of the snapshots, and of those that are being stored. Without a limit, they are 0. */
  readonly #sizes = new Map<string, number>();
  readonly #maxSize: number | undefined;
  /** Store that also keeps the snapshots. */
  store: WorldStore | undefined;

  /** @param maxSize - approximate maximum of characters of all snapshots as JSON (default: no limit) */
  constructor(maxSize?: number) {
    this.#maxSize = maxSize;
  }

  get names(): string[] {
    return [...this.#held.keys()];
  }

  get(name: string): SnapshotInput {
    const held = this.#held.get(name);
    if (!held) throw new RangeError(`There is no snapshot '${name}'. PUT /__sandbox/snapshots/${name} takes one.`);
    return held;
  }

  async put(name: string, content: SnapshotInput): Promise<void> {
    if (name === '' || name.length > maxNameLength) throw new RangeError(`A name has 1 to ${maxNameLength} characters`);
    const before = this.#sizes.get(name);
    if (before === undefined && this.#sizes.size >= maxSnapshots)
      throw new RangeError(`There are ${maxSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`);
    this.#sizes.set(name, before ?? 0);
    try {
      const size = await this.#reserve(name, content);
      await this.store?.putSnapshot(name, content);
      this.#held.set(name, content);
      // One of the same name may have been deleted meanwhile.
      this.#sizes.set(name, size);
    } catch (error) {
      if (before === undefined) this.#sizes.delete(name);
      else this.#sizes.set(name, before);
      throw error;
    }
  }

  delete(name: string): void {
    this.get(name);
    this.store?.deleteSnapshot(name);
    this.#held.delete(name);
    this.#sizes.delete(name);
  }

  /** Adds a stored snapshot, even beyond the limit. */
  async load(name: string, content: SnapshotInput): Promise<void> {
    this.#held.set(name, content);
    this.#sizes.set(name, this.#maxSize === undefined ? 0 : await inSlices(sizeInSteps(content)));
  }

  /** Counts a snapshot before it is stored, so that concurrent ones cannot exceed the limit. */
  async #reserve(name: string, content: SnapshotInput): Promise<number> {
    if (this.#maxSize === undefined) return 0;
    const size = await inSlices(sizeInSteps(content));
    const others = [...this.#sizes].reduce((sum, [other, length]) => (other === name ? sum : sum + length), 0);
    if (others + size > this.#maxSize)
      throw fullRefusal(`The snapshots of a world here can take ${this.#maxSize} characters. Delete some.`);
    this.#sizes.set(name, size);
    return size;
  }
}

function* sizeInSteps(content: SnapshotInput): Steps<number> {
  let size = 0;
  for (const area of Object.values(content.state ?? {})) {
    const tables = Array.isArray(area) ? [area] : Object.values(area);
    for (const table of tables) {
      for (const record of Array.isArray(table) ? table : [table]) {
        size += sizeOf(record);
        yield;
      }
    }
  }
  return size;
}
