import { JobsError } from '../jobs-error.ts';
import { IdSet } from './id-set.ts';

/** Reads one page of a list. */
export type ReadPage = (
  offset: number,
  limit: number,
) => PromiseLike<{ data: readonly { id: number }[]; total?: number | undefined }>;

/** Maximum number of pages to read again while records are deleted. */
const maxReturns = 1_000;
/** Maximum number of passes over a list that has fewer entries than its total. */
const maxRounds = 3;

/**
 * Yields the ID of every record of a list once, even if records are added and deleted meanwhile. Pages overlap by one record. If
 * that record is not the expected one, earlier records were deleted, so that later ones moved to pages that were already read.
 *
 * @param kind - name of the records, for the error
 * @throws `JobsError` if the list still has fewer records than its total after several passes
 */
export async function* readIds(kind: string, limit: number, readPage: ReadPage): AsyncGenerator<number> {
  const seen = new IdSet();
  let total = 0;
  let returns = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    for (let offset = 0; ; ) {
      const page = await readPage(offset, limit);
      const ids = page.data.map(({ id }) => id);
      total = page.total ?? total;
      const isMoved = offset > 0 && offset < total && (ids[0] === undefined || !seen.has(ids[0]));
      if (isMoved && returns < maxReturns) {
        returns += 1;
        offset = Math.max(0, offset - limit);
        continue;
      }
      for (const id of ids) if (seen.add(id)) yield id;
      const end = offset + ids.length;
      if (ids.length === 0 || end >= total) break;
      offset = Math.max(offset + 1, end - 1);
    }
    if (seen.size >= total) return;
  }
  throw new JobsError(
    `The service states ${total} ${kind}, but its list has ${seen.size}. Nothing was planned. Run the export again.`,
  );
}
