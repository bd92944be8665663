import type { Watcher } from './table.ts';

/** Keys of the records in a table, by group, such as the keys of contacts by tag. */
export class GroupIndex<Group, Key, Entry> implements Watcher<Key, Entry> {
  readonly #groups = new Map<Group, Set<Key>>();
  readonly #groupsOf: (entry: Entry) => readonly Group[];

  constructor(groupsOf: (entry: Entry) => readonly Group[]) {
    this.#groupsOf = groupsOf;
  }

  /** Returns the keys in a group. */
  keys(group: Group): ReadonlySet<Key> {
    return this.#groups.get(group) ?? new Set();
  }

  changed(key: Key, before: Entry | undefined, after: Entry | undefined): void {
    const left = new Set(before && this.#groupsOf(before));
    const joined = new Set(after && this.#groupsOf(after));
    for (const group of left) if (!joined.has(group)) this.#leave(group, key);
    for (const group of joined) if (!left.has(group)) this.#join(group, key);
  }

  #join(group: Group, key: Key): void {
    const keys = this.#groups.get(group);
    if (keys) keys.add(key);
    else this.#groups.set(group, new Set([key]));
  }

  #leave(group: Group, key: Key): void {
    const keys = this.#groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) this.#groups.delete(group);
  }
}
