import { createHash } from 'node:crypto';

/** A file as it is mutated: its path from the root, and its number of lines. */
export interface MutatedFile {
  file: string;
  lines: number;
}

/** Lines of a stretch. Stryker makes the changes that are wholly inside one, so it must be longer than most statements. */
const stretch = 12;

/**
 * Picks stretches of lines at random, from all files alike, until they have as many lines as wanted.
 *
 * @param seed - the same seed picks the same stretches; a change of one file moves no stretch of another
 * @returns what Stryker's `--mutate` takes: `src/client/core/retry.ts:13-24`
 */
export function sampleLines(files: readonly MutatedFile[], wanted: number, seed: string): string[] {
  const all = files.flatMap(({ file, lines }) =>
    Array.from({ length: Math.ceil(lines / stretch) }, (_, index) => {
      const first = index * stretch + 1;
      const last = Math.min(first + stretch - 1, lines);
      const range = `${file}:${first}-${last}`;
      return { range, lines: last - first + 1, order: createHash('sha256').update(`${seed} ${range}`).digest('hex') };
    }),
  );
  const picked: string[] = [];
  let count = 0;
  for (const { range, lines } of all.toSorted((one, other) => (one.order < other.order ? -1 : 1))) {
    if (count >= wanted) break;
    picked.push(range);
    count += lines;
  }
  return picked.sort();
}
