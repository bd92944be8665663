/** Fields without those that are `undefined`. */
export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Drops the fields that are `undefined`. */
export function given<Fields extends object>(fields: Fields): Given<Fields>;
export function given(fields: object): object {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) present[name] = value;
  return present;
}

/** Sorts records by display order. Those without one come last, oldest first. */
export function byOrder<Entry extends { order?: number }>(records: Iterable<Entry>): Entry[] {
  return [...records].sort((one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || 0);
}

/** Returns a list in which an entry is replaced. */
export function replaced<Entry>(entries: readonly Entry[], before: Entry, after: Entry): Entry[] {
  return entries.map((one) => (one === before ? after : one));
}
