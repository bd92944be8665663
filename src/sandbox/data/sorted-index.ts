import type { Steps } from '../slices.ts';
import type { Watcher } from './table.ts';

/** Sort keys of an index. `tie` decides between records with the same `sort`. */
export interface SortKeys<Entry> {
  sort(entry: Entry): number;
  tie(entry: Entry): number;
}

/**
 * Records in ascending order of a number. The first use sorts them all; after that, a change costs a binary search.
 */
export class SortedIndex<Key, Entry> implements Watcher<Key, Entry> {
  readonly #source: ReadonlyMap<Key, Entry>;
  readonly #keys: SortKeys<Entry>;
  #sorted: Entry[] | undefined;

  constructor(source: ReadonlyMap<Key, Entry>, keys: SortKeys<Entry>) {
    this.#source = source;
    this.#keys = keys;
  }

  changed(_key: Key, before: Entry | undefined, after: Entry | undefined): void {
    const sorted = this.#sorted;
    if (!sorted) return;
    const index = before === undefined ? -1 : this.#placeOf(sorted, before);
    if (before !== undefined && after !== undefined && this.#compare(before, after) === 0) {
      sorted[index] = after;
      return;
    }
    if (before !== undefined) sorted.splice(index, 1);
    if (after === undefined) return;
    const last = sorted.at(-1);
    // New records usually come last.
    if (last === undefined || this.#compare(last, after) < 0) sorted.push(after);
    else sorted.splice(this.#placeOf(sorted, after), 0, after);
  }

  *prepare(): Steps {
    this.#read();
    yield;
  }

  /** Returns a page. In descending order, records with the same number are still in ascending order of `tie`. */
  page(offset: number, limit: number, isDescending: boolean): Entry[] {
    const sorted = this.#read();
    if (!isDescending) return sorted.slice(offset, offset + limit);
    const found: Entry[] = [];
    let skipped = 0;
    for (let end = sorted.length; end > 0 && found.length < limit; ) {
      const start = this.#startOfGroup(sorted, end - 1);
      const from = Math.min(start + offset - skipped, end);
      const to = Math.min(end, from + limit - found.length);
      for (const entry of sorted.slice(from, to)) found.push(entry);
      skipped += from - start;
      end = start;
    }
    return found;
  }

  /** The record with the highest number, or `undefined`. */
  last(): Entry | undefined {
    return this.#read().at(-1);
  }

  #read(): Entry[] {
    this.#sorted ??= [...this.#source.values()].sort((one, other) => this.#compare(one, other));
    return this.#sorted;
  }

  #compare(one: Entry, other: Entry): number {
    return this.#keys.sort(one) - this.#keys.sort(other) || this.#keys.tie(one) - this.#keys.tie(other);
  }

  /** The place of an entry, or the place where it belongs. */
  #placeOf(sorted: readonly Entry[], entry: Entry): number {
    return firstIndex(sorted, (one) => this.#compare(one, entry) >= 0);
  }

  /** The first place with the same number as the entry at a place. */
  #startOfGroup(sorted: readonly Entry[], place: number): number {
    const entry = sorted[place];
    const previous = sorted[place - 1];
    if (entry === undefined) return place;
    const number = this.#keys.sort(entry);
    if (previous === undefined || this.#keys.sort(previous) !== number) return place;
    return firstIndex(sorted, (one) => this.#keys.sort(one) >= number);
  }
}

/** Finds the first place whose entry passes, or the length, by binary search. All entries after it must pass, too. */
function firstIndex<Entry>(sorted: readonly Entry[], passes: (entry: Entry) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = sorted[middle];
    if (entry !== undefined && passes(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}
