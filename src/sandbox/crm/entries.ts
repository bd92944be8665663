import type { Context } from '../rules/context.ts';

/** Returns the entry in a path, such as a phone of a contact. */
export function findEntry<Entry extends { id: number }>(
  context: Context,
  entries: readonly Entry[],
  id: number,
  what: string,
): Entry {
  return entries.find((entry) => entry.id === id) ?? context.notFound(what);
}

/** Returns a list in which an entry is replaced. */
export function replaced<Entry>(entries: readonly Entry[], before: Entry, after: Entry): Entry[] {
  return entries.map((one) => (one === before ? after : one));
}
