import { JobsError } from '../jobs-error.ts';
import type { SourceNotes } from '../types.ts';

/** Reads one page of a list. */
export type ReadPage = (
  offset: number,
  limit: number,
) => PromiseLike<{ data: readonly { id: number }[]; total?: number | undefined }>;

/** Maximum number of pages that are read again because records were deleted. */
const maxReturns = 1_000;
/** Maximum number of passes over a list that returns fewer records than its total. */
const maxRounds = 3;

/**
 * Yields the ID of every record in a list once, even if records are added or deleted in the meantime. Pages overlap by one record. If
 * this record is not the expected one, earlier records were deleted, and later records moved to pages that were already read.
 *
 * @param kind - name of the records, for the error message
 * @param notes - storage for the IDs that have been read, because there may be millions of them
 * @throws `JobsError` if the list still has fewer records than its total after several passes
 */
export async function* readIds(
  kind: string,
  limit: number,
  readPage: ReadPage,
  notes: SourceNotes,
): AsyncGenerator<number> {
  let count = 0;
  let total = 0;
  let returns = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    for (let offset = 0; ; ) {
      const page = await readPage(offset, limit);
      const ids = page.data.map(({ id }) => id);
      total = page.total ?? total;
      const seen = await notes.find(ids.map(String));
      const isMoved = offset > 0 && offset < total && (ids[0] === undefined || !seen.has(String(ids[0])));
      if (isMoved && returns < maxReturns) {
        returns += 1;
        offset = Math.max(0, offset - limit);
        continue;
      }
      const added = new Set(ids.filter((id) => !seen.has(String(id))));
      await notes.add(new Map([...added].map((id) => [String(id), 1])));
      count += added.size;
      yield* added;
      const end = offset + ids.length;
      if (ids.length === 0 || end >= total) break;
      offset = Math.max(offset + 1, end - 1);
    }
    if (count >= total) return;
  }
  throw new JobsError(
    `The service reports a total of ${total} ${kind}, but its list contains ${count}. Nothing was planned. Run the export again.`,
  );
}
