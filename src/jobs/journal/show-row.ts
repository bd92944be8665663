import { isRecord } from '../../shared/is-record.ts';
import { JobsError } from '../jobs-error.ts';
import { identityOf } from '../ready/values.ts';
import type { JobRowDetails, Json, RowState } from '../types.ts';
import { markerOf } from '../work/steps.ts';
import type { Database } from './database.ts';
import { findJob } from './read-jobs.ts';

interface Found {
  readonly key: string;
  readonly line: number;
  readonly state: RowState;
  readonly attempt: number;
  readonly step: string | null;
  readonly reason: string | null;
  readonly code: string | null;
  readonly sentAt: Date | null;
  readonly endedAt: Date | null;
  readonly values: Json;
  readonly results: Record<string, Json> | null;
}

const columns = `key, line, state, attempt, step, reason, code, sent_at AS "sentAt",
  CASE WHEN state NOT IN ('planned', 'sent') THEN ended_at END AS "endedAt", "values", results`;

/**
 * Finds one row by its key, its line, the address or number of a recipient, or, in a job whose rows stand for several rows of the
 * source, by a line of its part.
 *
 * @throws `JobsError` if there is no such row
 */
export async function showRow(db: Database, name: string, row: string): Promise<JobRowDetails> {
  const { id, seed, plan, total } = await findJob(db, name);
  const line = /^\d{1,9}$/.test(row) ? Number(row) : undefined;
  const find = async (where: string, value: string | number): Promise<Found | undefined> => {
    const { rows } = await db.pool.query<Found>(
      `SELECT ${columns} FROM ${db.schema}.rows WHERE job = $1 AND ${where} LIMIT 1`,
      [id, value],
    );
    return rows[0];
  };
  const found =
    (await find('key = $2', row)) ??
    (line === undefined ? undefined : await find('line = $2', line)) ??
    (await findRecipient(find, identityOf(row))) ??
    // A row that the source refused is no part.
    (line !== undefined && plan && plan.rows > total
      ? await find(`line < $2 AND NOT (state = 'refused' AND step IS NULL) ORDER BY line DESC`, line)
      : undefined);
  if (!found) {
    throw new JobsError(
      `The job ${name} has no row ${row}. Name a line of its source, a key, or the address or number of a recipient. The values of completed rows are removed, so their line or key is needed.`,
    );
  }
  const { values, results, step, reason, code, sentAt, endedAt, ...rest } = found;
  return {
    ...rest,
    ...(step !== null && { step, marker: markerOf(seed, found.key, step) }),
    ...(reason !== null && { reason }),
    ...(code !== null && { code }),
    ...(sentAt && { sentAt }),
    ...(endedAt && { endedAt }),
    values: sizesOf(values),
    results: results ?? {},
  };
}

async function findRecipient(
  find: (where: string, value: string) => Promise<Found | undefined>,
  recipient: string,
): Promise<Found | undefined> {
  if (recipient === '') return undefined;
  return find(
    `("values" @> jsonb_build_object('recipients', jsonb_build_array($2::text)) OR lower("values"->>'email') = $2)`,
    recipient,
  );
}

/** Names of the values that are not empty, with the number of entries of each list. */
function sizesOf(values: unknown): Record<string, number> {
  if (!isRecord(values)) return {};
  // Of a row with a problem, the columns of the file are kept.
  if (isRecord(values.row)) return sizesOf(values.row);
  const sizes = Object.entries(values).map(([name, value]): [string, number] => {
    if (value === null || value === undefined || value === '') return [name, 0];
    return [name, typeof value === 'object' ? Object.keys(value).length : 1];
  });
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}
