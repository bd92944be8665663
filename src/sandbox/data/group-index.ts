import type { Watcher } from './table.ts';

const nothing: readonly never[] = [];

/** Keys of the records of a table by group, such as the contacts of each tag. The first use builds the index. */
export class GroupIndex<Group, Key, Entry> implements Watcher<Key, Entry> {
  readonly #source: ReadonlyMap<Key, Entry>;
  readonly #groupsOf: (entry: Entry) => readonly Group[];
  #groups: Map<Group, Set<Key>> | undefined;

  constructor(source: ReadonlyMap<Key, Entry>, groupsOf: (entry: Entry) => readonly Group[]) {
    this.#source = source;
    this.#groupsOf = groupsOf;
  }

  /** Returns the keys of a group. */
  keys(group: Group): ReadonlySet<Key> {
    return this.#read().get(group) ?? new Set();
  }

  changed(key: Key, before: Entry | undefined, after: Entry | undefined): void {
    const groups = this.#groups;
    if (!groups) return;
    const left = before ? this.#groupsOf(before) : nothing;
    const joined = after ? this.#groupsOf(after) : nothing;
    if (left === joined || (left.length === 1 && joined.length === 1 && left[0] === joined[0])) return;
    if (left.length === 0) {
      for (const group of joined) join(groups, group, key);
      return;
    }
    const [isLeft, isJoined] = [membership(left), membership(joined)];
    for (const group of left) if (!isJoined(group)) leave(groups, group, key);
    for (const group of joined) if (!isLeft(group)) join(groups, group, key);
  }

  #read(): Map<Group, Set<Key>> {
    if (this.#groups) return this.#groups;
    const groups = new Map<Group, Set<Key>>();
    for (const [key, entry] of this.#source) for (const group of this.#groupsOf(entry)) join(groups, group, key);
    this.#groups = groups;
    return groups;
  }
}

function join<Group, Key>(groups: Map<Group, Set<Key>>, group: Group, key: Key): void {
  const keys = groups.get(group);
  if (keys) keys.add(key);
  else groups.set(group, new Set([key]));
}

function leave<Group, Key>(groups: Map<Group, Set<Key>>, group: Group, key: Key): void {
  const keys = groups.get(group);
  keys?.delete(key);
  if (keys?.size === 0) groups.delete(group);
}

/** Returns a test for membership. With many groups, a Set keeps a change linear; with a few, a list is faster. */
function membership<Group>(groups: readonly Group[]): (group: Group) => boolean {
  if (groups.length <= 8) return (group) => groups.includes(group);
  const members = new Set(groups);
  return (group) => members.has(group);
}
