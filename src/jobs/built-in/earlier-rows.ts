import type { SourceNotes } from '../types.ts';

/** A text that an earlier row also has, and the line of that row. */
export interface Earlier {
  readonly text: string;
  readonly line: number;
}

/**
 * Finds rows that share a text with an earlier row of their file, and notes the texts of the others. A row of which an earlier one
 * was found adds nothing, so its other texts are free.
 *
 * @param rows - a batch of rows, in the order of the file
 * @param stringsOf - returns texts with a prefix for their kind, because all notes are in one place
 * @returns the text and the line of the earlier row, by row
 */
export async function findEarlier<Row extends { readonly line: number }>(
  rows: readonly Row[],
  stringsOf: (row: Row) => readonly string[],
  notes: SourceNotes,
): Promise<Map<Row, Earlier>> {
  const noted = await notes.find(rows.flatMap(stringsOf));
  const added = new Map<string, number>();
  const earlier = new Map<Row, Earlier>();
  for (const row of rows) {
    const texts = stringsOf(row);
    const lineOf = (text: string): number => noted.get(text) ?? added.get(text) ?? row.line;
    const text = texts.find((one) => lineOf(one) < row.line);
    if (text !== undefined) earlier.set(row, { text, line: lineOf(text) });
    else for (const one of texts) if (!noted.has(one)) added.set(one, row.line);
  }
  await notes.add(added);
  return earlier;
}
