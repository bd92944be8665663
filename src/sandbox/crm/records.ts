/** Type of an object without its `undefined` fields. A field that may be `undefined` becomes optional. */
export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Returns a copy of an object without its `undefined` fields. */
export function given<Fields extends object>(fields: Fields): Given<Fields>;
export function given(fields: object): object {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) present[name] = value;
  return present;
}

/** Returns records sorted by display order. Records without a display order come last, in their original order. */
export function byOrder<Entry extends { order?: number }>(records: Iterable<Entry>): Entry[] {
  return [...records].sort((one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || 0);
}

/** Returns a copy of a list in which one item is replaced. */
export function replaced<Entry>(entries: readonly Entry[], before: Entry, after: Entry): Entry[] {
  return entries.map((one) => (one === before ? after : one));
}
