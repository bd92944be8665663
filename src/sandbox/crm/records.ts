/** Fields without those that are `undefined`. */
export type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** Returns the fields of an entry of a body that the spec declares for each of the given schemas, such as entry and record. */
export function declared(
  entry: object,
  ...schemas: readonly { readonly shape: object }[]
): { [name: string]: unknown } {
  const isDeclared = (name: string): boolean => schemas.every(({ shape }) => Object.hasOwn(shape, name));
  return Object.fromEntries(Object.entries(entry).filter(([name]) => isDeclared(name)));
}

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
