import type { RowState } from '../types.ts';
import type { Database } from './database.ts';
import { chunkSize } from './sizes.ts';

/** SQL condition: only some steps of a row are done. */
export const isBegun = `(state = 'planned' AND coalesce(results, '{}') <> '{}')`;

/** Numbers of rows of a job. */
export interface RowCounts {
  readonly counts: Record<RowState, number>;
  /** Planned rows with only some steps done. */
  readonly begun: number;
  /** Sent rows that wait for their lookup, and when the last of them was sent. */
  readonly waiting: number;
  readonly sentAt: Date | undefined;
}

/**
 * Counts the rows of a job. Reads the counts of the chunks that are not being worked on, and the rows of the others, which are few.
 *
 * @param total - number of rows
 */
export async function countRows(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  job: string,
  total: number,
): Promise<RowCounts> {
  const { rows } = await pool.query<{
    state: RowState;
    count: number;
    begun: number;
    waiting: number;
    sentAt: Date | null;
  }>(
    `WITH counted AS MATERIALIZED (
      SELECT * FROM ${schema}.counts WHERE job = $1
    ), live AS (
      SELECT r.state, r.sent_at, ${isBegun} AS begun, r.state = 'sent' AND (r.worker IS NULL OR r.worker <> ALL (ARRAY(
        SELECT s.worker FROM ${schema}.sessions s
      ))) AS waits
      FROM ${schema}.rows r
      -- As an array, so that Postgres expects few rows, and does not compile the statement.
      WHERE r.job = $1 AND r.number = ANY (ARRAY(
        SELECT open.chunk * ${chunkSize} + i
        FROM (SELECT g.chunk FROM generate_series(0, $2::int / ${chunkSize}) g (chunk) EXCEPT SELECT c.chunk FROM counted c) open,
          generate_series(0, ${chunkSize - 1}) i
      ))
    )
    SELECT state, count(*)::int, count(*) FILTER (WHERE begun)::int AS begun, count(*) FILTER (WHERE waits)::int AS waiting,
      max(sent_at) FILTER (WHERE waits) AS "sentAt"
    FROM live GROUP BY state
    UNION ALL
    SELECT s.state, s.count::int, s.begun::int, 0, NULL
    FROM (
      SELECT sum(planned) AS planned, sum(done) AS done, sum(refused) AS refused, sum(unknown) AS unknown, sum(begun) AS begun FROM counted
    ) c CROSS JOIN LATERAL (
      VALUES ('planned', c.planned, c.begun), ('done', c.done, 0), ('refused', c.refused, 0), ('unknown', c.unknown, 0)
    ) AS s (state, count, begun)
    WHERE s.count > 0`,
    [job, total],
  );
  const counts: Record<RowState, number> = { planned: 0, sent: 0, done: 0, refused: 0, unknown: 0 };
  let [begun, waiting] = [0, 0];
  let sentAt: Date | undefined;
  for (const row of rows) {
    counts[row.state] += row.count;
    begun += row.begun;
    waiting += row.waiting;
    sentAt = row.sentAt ?? sentAt;
  }
  return { counts, begun, waiting, sentAt };
}
