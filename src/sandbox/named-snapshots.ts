import type { Change } from './data/ledger.ts';
import { parseJson } from './json.ts';
import type { SnapshotInput } from './snapshot.ts';

/** The table under which stores keep named snapshots. */
export const snapshotTable = 'snapshots';

const mostSnapshots = 50;
const longestName = 100;
/** Characters of a snapshot in one stored record. */
const partLength = 256 * 1024;
/** Characters of the largest snapshot that a store keeps. */
const mostLength = 128 * 1024 * 1024;

/** A snapshot, and in how many parts a store has it. A stored one is parsed when it is first read. */
interface Held {
  content: SnapshotInput | string;
  parts: number;
}

/** The snapshots of a world that have a name. Stores keep them, in parts: they can be long. */
export class NamedSnapshots {
  readonly #held = new Map<string, Held>();
  /** Parts of snapshots that are being loaded. */
  readonly #loading = new Map<string, string[]>();
  /** Receives what a store has to keep. */
  listener: ((changes: readonly Change[]) => void) | undefined;

  get names(): string[] {
    return [...this.#held.keys()];
  }

  get(name: string): SnapshotInput {
    const held = this.#held.get(name);
    if (!held) throw new RangeError(`There is no snapshot '${name}'. PUT /__sandbox/snapshots/${name} takes one.`);
    if (typeof held.content === 'string') held.content = parseJson(held.content) as SnapshotInput;
    return held.content;
  }

  put(name: string, content: SnapshotInput): void {
    if (name === '' || name.length > longestName) throw new RangeError(`A name has 1 to ${longestName} characters`);
    if (!this.#held.has(name) && this.#held.size >= mostSnapshots)
      throw new RangeError(`There are ${mostSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`);
    const stored = this.listener ? [...partsOf(name, content)] : [];
    const obsolete = this.#removals(name, stored.length);
    this.#held.set(name, { content, parts: stored.length });
    this.listener?.([...obsolete, ...stored]);
  }

  delete(name: string): void {
    this.get(name);
    const removals = this.#removals(name, 0);
    this.#held.delete(name);
    this.listener?.(removals);
  }

  /** Applies a stored change. A snapshot appears once its last part has arrived. */
  load(key: string, value: unknown): void {
    const [name, index] = JSON.parse(key) as [string, number];
    if (value === undefined) {
      this.#held.delete(name);
      return;
    }
    const { text, isLast } = value as { text: string; isLast: boolean };
    const parts = index === 0 ? [] : (this.#loading.get(name) ?? []);
    parts[index] = text;
    this.#loading.set(name, parts);
    if (!isLast) return;
    this.#loading.delete(name);
    this.#held.set(name, { content: parts.slice(0, index + 1).join(''), parts: index + 1 });
  }

  /** All snapshots as a store has to keep them. They are those of the moment of the call, whenever they are read. */
  changes(): Iterable<Change> {
    const held = Array.from(this.#held, ([name, { content }]) => ({ name, content }));
    return {
      *[Symbol.iterator]() {
        for (const { name, content } of held) yield* partsOf(name, content);
      },
    };
  }

  /** Removes the stored parts of a snapshot from a part on. */
  #removals(name: string, from: number): Change[] {
    const { parts = 0 } = this.#held.get(name) ?? {};
    return Array.from({ length: Math.max(0, parts - from) }, (_, index) => ({
      table: snapshotTable,
      key: keyOf(name, from + index),
    }));
  }
}

function* partsOf(name: string, content: SnapshotInput | string): Generator<Change> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (text.length > mostLength)
    throw new RangeError(`The snapshot has ${text.length} characters, and a store keeps ${mostLength} at most`);
  for (let start = 0, index = 0; start < text.length; start += partLength, index += 1)
    yield {
      table: snapshotTable,
      key: keyOf(name, index),
      value: { text: text.slice(start, start + partLength), isLast: start + partLength >= text.length },
    };
}

function keyOf(name: string, index: number): string {
  return JSON.stringify([name, index]);
}
