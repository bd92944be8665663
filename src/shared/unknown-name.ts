import { closest } from './closest.ts';

/** The owner of names, in the singular as the beginning of a name and in the plural: `params.` and `params`. */
export interface NameKind {
  one: string;
  all: string;
}

/**
 * Says that a name is unknown, and suggests the closest known one.
 *
 * @returns a sentence that begins in lower case, or `undefined` if all names are known
 */
export function unknownName(given: readonly string[], known: readonly string[], kind: NameKind): string | undefined {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closest(unknown, known);
  const end = meant === undefined ? '.' : `, did you mean ${meant}?`;
  return `there is no ${kind.one}${shorten(unknown)}${end} The ${kind.all} are ${known.join(', ')}`;
}

/** Longest name in a message, in characters. Names can come from data. */
const maxNameLength = 60;

/** Cuts a name that is too long for a message. */
export function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}
