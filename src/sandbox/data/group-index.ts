import type { Watcher } from './table.ts';

const nothing: readonly never[] = [];

/** Keys of the records of a table by group, such as the contacts of each tag. */
export class GroupIndex<Group, Key, Entry> implements Watcher<Key, Entry> {
  readonly #groups = new Map<Group, Set<Key>>();
  readonly #groupsOf: (entry: Entry) => readonly Group[];

  constructor(groupsOf: (entry: Entry) => readonly Group[]) {
    this.#groupsOf = groupsOf;
  }

  /** Returns the keys of a group, those that joined first first. */
  keys(group: Group): ReadonlySet<Key> {
    return this.#groups.get(group) ?? new Set();
  }

  changed(key: Key, before: Entry | undefined, after: Entry | undefined): void {
    const left = before ? this.#groupsOf(before) : nothing;
    const joined = after ? this.#groupsOf(after) : nothing;
    if (left === joined || (left.length === 1 && joined.length === 1 && left[0] === joined[0])) return;
    if (left.length === 0) {
      for (const group of joined) this.#join(group, key);
      return;
    }
    const [isLeft, isJoined] = [membership(left), membership(joined)];
    for (const group of left) if (!isJoined(group)) this.#leave(group, key);
    for (const group of joined) if (!isLeft(group)) this.#join(group, key);
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

/** A record in very many groups needs a Set, so that a change stays linear. For a few groups, a list is faster. */
function membership<Group>(groups: readonly Group[]): (group: Group) => boolean {
  if (groups.length <= 8) return (group) => groups.includes(group);
  const members = new Set(groups);
  return (group) => members.has(group);
}
