/**
 * Words for the names in a message: `one` precedes a single name (such as `option `), and `all` is the plural (such as
 * `options`).
 */
export interface NameKind {
  one: string;
  all: string;
}

/**
 * Returns a message about an unknown name, which suggests the closest known name.
 *
 * @returns a sentence that begins with a lower-case letter, or `undefined` if all names are known
 */
export function unknownName(given: readonly string[], known: readonly string[], kind: NameKind): string | undefined {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closest(unknown, known);
  const end = meant === undefined ? '.' : `. Did you mean ${meant}?`;
  return `there is no ${kind.one}${shorten(unknown)}${end} The ${kind.all} are ${known.join(', ')}`;
}

/** Longest name in a message, in characters. Names can come from data. */
const maxNameLength = 60;

/** Cuts a name that is too long for a message. */
export function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

/** A question with the name most similar to a word, as in `Did you mean deals?`, or `undefined` if no name is similar enough. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const meant = closest(word, names);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

/** Returns the name most similar to a word, or `undefined` if no name is similar enough. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    // The distance is at least the difference in length. Checking the difference first skips long words.
    .filter((name) => Math.abs(word.length - name.length) <= maxDistance(word, name))
    .map((name) => ({ name, distance: distanceOf(plain(word), plain(name)) }))
    .filter(({ name, distance }) => distance <= maxDistance(word, name))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** Maximum distance of similar words, a quarter of their letters. */
function maxDistance(word: string, name: string): number {
  return Math.floor(Math.max(word.length, name.length) / 4);
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '');
}

/** Edit distance: insertions, deletions, replacements and transpositions of adjacent letters (Damerau–Levenshtein). */
function distanceOf(one: string, other: string): number {
  const first = Array.from({ length: other.length + 1 }, (_, at) => at);
  const rows: number[][] = [first];
  const distance = (line: number, at: number): number => rows[line]?.[at] ?? 0;
  for (let line = 1; line <= one.length; line += 1) {
    const row = [line];
    rows.push(row);
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[line - 1] === other[at - 1] ? 0 : 1;
      const isExchange = line > 1 && at > 1 && one[line - 1] === other[at - 2] && one[line - 2] === other[at - 1];
      row.push(
        Math.min(
          distance(line - 1, at) + 1,
          distance(line, at - 1) + 1,
          distance(line - 1, at - 1) + same,
          isExchange ? distance(line - 2, at - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return distance(one.length, other.length);
}
