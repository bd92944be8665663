import type { Logger } from 'carillon';
import type { AttemptsFile, KeptAttempt, KeptJob, Position } from '../journal/attempts-file.ts';
import type { Database } from '../journal/database.ts';
import { isUnstorable } from '../store/explain.ts';
import { type LogPosition, logPosition } from '../journal/rows.ts';
import type { Session } from '../journal/session.ts';
import { settleSafely } from '../journal/settle-safely.ts';
import { toJsonb } from '../store/storable.ts';
import type { JobDefinition, Json, RowState } from '../types.ts';

/** Maximum number of attempts to compare, and to restore, per statement. */
const atOnce = { maxCompared: 20_000, maxRestored: 1_000 };

/** Dependencies of a comparison. */
export interface ComparisonParts {
  readonly db: Database;
  readonly definitions: readonly JobDefinition[];
  readonly logger: Logger;
  /** Called with closed chunks that were opened again because their rows were planned again. */
  onReopened(chunks: readonly { job: string; chunk: number }[]): Promise<void>;
}

/** A job of the database that a file has attempts of. */
interface SharedJob extends KeptJob {
  /** ID in the database. */
  readonly job: string;
  readonly definition: string;
  /** Whether nobody knows which of its rows were sent, until a person resumes it. */
  readonly wentBack: boolean;
}

/** A row that the file knows more about than the database. */
interface Difference {
  readonly number: number;
  /** Attempt in the database. */
  readonly seen: number;
  /** Whether only data that went back can explain it. */
  readonly isEvidence: boolean;
}

/** An attempt to write to the database. */
interface Restored {
  readonly number: number;
  readonly seen: number;
  readonly attempt: number;
  readonly worker: number;
  readonly state: RowState;
  readonly step?: string | undefined;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
  readonly results?: Record<string, Json> | null;
  readonly forgetValues?: boolean;
}

/**
 * Compares everything that a worker has sent, as its file shows it, with the database, and writes what is missing there. Pauses
 * the jobs whose data went back, because other workers may have sent rows that look planned, too. Called before the session marks
 * its first row.
 */
export async function compareFile(parts: ComparisonParts, file: AttemptsFile, session: Session): Promise<void> {
  const { db, logger } = parts;
  const position = await noticePosition(db, file, session);
  const jobs = await findShared(db, file);
  let restored = 0;
  for (const job of jobs) {
    restored += await writeOutcomes(parts, file, session, job);
    restored += await compareJob(parts, file, job);
  }
  await reportBack(db, file, jobs);
  file.notePosition(position);
  if (restored > 0) {
    logger.warn(
      `carillon: restored ${restored} rows that this machine had sent, whose marks or outcomes were missing in the database.`,
    );
  }
}

/** Pauses all jobs if the log of the database ends before a position that it had reached. A later position proves nothing. */
async function noticePosition({ pool, schema }: Database, file: AttemptsFile, { place }: Session): Promise<Position> {
  const last = file.position;
  const { rows } = await pool.query<LogPosition>(`SELECT ${logPosition}`);
  const now = { position: '0/0', at: '', ...rows[0], place };
  if (!last || last.place !== place) return now;
  await pool.query(
    `SELECT ${schema}.go_back(j.id, 'The database went back to an earlier state: its log ends before a position that it had reached')
    FROM ${schema}.jobs j WHERE $1::pg_lsn > $2::pg_lsn AND j.state <> 'cancelled' AND j.went_back_at IS NULL
      AND greatest(j.planned_at, j.answered_at) < $3::timestamptz`,
    [last.position, now.position, last.at],
  );
  return now;
}

/** Returns the jobs that are in the database. Others are not in it yet, or belong to another one. Forgets those that were removed. */
async function findShared({ pool, schema }: Database, file: AttemptsFile): Promise<SharedJob[]> {
  const kept = file.jobs;
  if (kept.length === 0) return [];
  const seeds = kept.map(({ seed }) => seed);
  const removed = await pool.query<{ seed: string }>(
    `SELECT seed FROM ${schema}.removed WHERE seed = ANY ($1::uuid[])`,
    [seeds],
  );
  file.forgetJobs(removed.rows.map(({ seed }) => seed));
  const { rows } = await pool.query<Omit<SharedJob, 'id'>>(
    `SELECT id::text AS job, seed, definition, went_back_at IS NOT NULL AS "wentBack" FROM ${schema}.jobs
    WHERE seed = ANY ($1::uuid[]) ORDER BY id`,
    [seeds],
  );
  return rows.flatMap((row) => {
    const found = kept.find(({ seed }) => seed === row.seed);
    return found ? { ...row, id: found.id } : [];
  });
}

/** Writes outcomes that a process could not write. Returns how many counted. */
async function writeOutcomes(
  { db, logger, onReopened }: ComparisonParts,
  file: AttemptsFile,
  session: Session,
  { job, ...kept }: SharedJob,
): Promise<number> {
  const outcomes = file.readUnwritten(kept).map((outcome) => ({ ...outcome, job }));
  // In another place, such as a copy, they are not written yet for the first one.
  const isSamePlace = (file.position?.place ?? session.place) === session.place;
  let count = 0;
  for (let first = 0; first < outcomes.length; first += atOnce.maxRestored) {
    const some = outcomes.slice(first, first + atOnce.maxRestored);
    const { settled, written, reopened } = await settleSafely(db, some, logger);
    count += written.length;
    if (isSamePlace) file.markWritten(some, settled, written);
    await onReopened(reopened);
  }
  return count;
}

async function compareJob(parts: ComparisonParts, file: AttemptsFile, job: SharedJob): Promise<number> {
  const { db, definitions } = parts;
  const definition = definitions.find(({ name }) => name === job.definition);
  const isRepeatable = definition?.steps.every((step) => step.repeatable === true) ?? false;
  let { wentBack } = job;
  let restored = 0;
  for (let after = -1; ; ) {
    const kept = file.readKept(job, after, atOnce.maxCompared);
    const last = kept.at(-1);
    if (!last) return restored;
    after = last.number;
    const differences = await findDifferences(db, job.job, kept);
    if (!wentBack && differences.some(({ isEvidence }) => isEvidence)) {
      // First, so that no row is sent meanwhile.
      await db.pool.query(`SELECT ${db.schema}.go_back($1, $2)`, [
        job.job,
        'The database went back to an earlier state: a worker sent rows that it does not show as sent',
      ]);
      wentBack = true;
    }
    const byNumber = new Map(kept.map((each) => [each.number, each]));
    const rows = differences.flatMap(({ number, seen }) => {
      const attempt = byNumber.get(number);
      return attempt ? restoredOf(file, job, attempt, seen, isRepeatable) : [];
    });
    for (let first = 0; first < rows.length; first += atOnce.maxRestored) {
      restored += await restore(parts, job.job, rows.slice(first, first + atOnce.maxRestored));
    }
  }
}

/**
 * Finds the rows about which the file knows more. The attempt of a row increases with each change that plans it again, so a lower
 * one, or the same one of another worker, shows that the mark was lost.
 */
async function findDifferences(
  { pool, schema }: Database,
  job: string,
  kept: readonly KeptAttempt[],
): Promise<Difference[]> {
  const { rows } = await pool.query<Difference>(
    `SELECT r.number, r.attempt AS seen,
      (r.attempt < g.attempt OR r.attempt = g.attempt AND r.sender IS DISTINCT FROM g.worker OR g.is_written)
        AND g.sent_at::timestamptz > coalesce(j.answered_at, '-infinity') AS "isEvidence"
    FROM unnest($2::int[], $3::int[], $4::int[], $5::text[], $6::bool[], $7::text[]) AS g (number, attempt, worker, state, is_written, sent_at)
    JOIN ${schema}.jobs j ON j.id = $1 JOIN ${schema}.rows r ON r.job = j.id AND r.number = g.number
    WHERE r.state <> 'done' AND (
      r.attempt < g.attempt
      OR r.attempt = g.attempt AND r.sender IS DISTINCT FROM g.worker
      OR r.attempt = g.attempt AND r.state = 'sent' AND g.state <> 'sent'
      OR r.attempt = g.attempt AND r.state = 'planned' AND g.state IN ('done', 'refused', 'unknown')
      OR g.state = 'done' AND r.state IN ('planned', 'sent', 'unknown')
    )`,
    [
      job,
      kept.map(({ number }) => number),
      kept.map(({ attempt }) => attempt),
      kept.map(({ worker }) => worker),
      kept.map(({ state }) => state),
      kept.map(({ isWritten }) => isWritten),
      kept.map(({ sentAt }) => sentAt),
    ],
  );
  return rows;
}

/** @param isRepeatable - whether the row can be processed again if its results are not kept, as for an export */
function restoredOf(
  file: AttemptsFile,
  job: SharedJob,
  { number, attempt, worker, sentAt, state }: KeptAttempt,
  seen: number,
  isRepeatable: boolean,
): Restored {
  const common = { number, seen, attempt, worker };
  const { record, outcome } = file.readDetails(job, number);
  if (state === 'done' && !outcome && isRepeatable) return { ...common, state: 'planned' };
  if (state !== null && state !== 'sent') {
    const { step, code, reason, results, forgetValues = state === 'done' } = outcome ?? {};
    return { ...common, state, step, code, reason, forgetValues, ...(results && { results }) };
  }
  return {
    ...common,
    state: 'sent',
    step: record?.step,
    reason: `The database lost its mark. It was sent at ${sentAt} by the clock of the database`,
    ...(record?.results && { results: record.results }),
  };
}

/** Writes attempts. If one of them cannot be written, its row becomes unknown, so that it does not hold up the others. */
async function restore(parts: ComparisonParts, job: string, rows: readonly Restored[]): Promise<number> {
  const { pool, schema } = parts.db;
  try {
    const result = await pool.query<{ restored: number }>(`SELECT ${schema}.restore_sent($1, $2::jsonb) AS restored`, [
      job,
      toJsonb(rows),
    ]);
    return result.rows[0]?.restored ?? 0;
  } catch (error) {
    const [row] = rows;
    if (!row || !isUnstorable(error)) throw error;
    if (rows.length > 1) {
      let restored = 0;
      for (const one of rows) restored += await restore(parts, job, [one]);
      return restored;
    }
    if (row.results === undefined && row.state === 'unknown') throw error;
    const { number, seen, attempt, worker, step } = row;
    const reason = 'It was sent, and its result cannot be stored in the database';
    return restore(parts, job, [{ number, seen, attempt, worker, step, state: 'unknown', reason }]);
  }
}

/** Records that this file has come back, and the files that its workers know of. */
async function reportBack({ pool, schema }: Database, file: AttemptsFile, jobs: readonly SharedJob[]): Promise<void> {
  const own = file.describe();
  await pool.query(`UPDATE ${schema}.files SET is_back = true WHERE file = $1`, [own.file]);
  await pool.query(
    `INSERT INTO ${schema}.files (job, file, host, folder) SELECT unnest($1::bigint[]), $2, $3, $4
    ON CONFLICT (job, file) DO UPDATE SET is_back = true`,
    [jobs.map(({ job }) => job), own.file, own.host, own.folder],
  );
  await pool.query(`UPDATE ${schema}.workers SET is_missing = false WHERE file = $1`, [own.file]);
  const peers = file.peers.filter(({ file: id }) => id !== own.file);
  if (peers.length === 0) return;
  await pool.query(
    `INSERT INTO ${schema}.files (job, file, host, folder, is_back)
    SELECT j.id, g.file, g.host, g.folder, j.went_back_at IS NULL
    FROM jsonb_to_recordset($1::jsonb) AS g (seed uuid, file uuid, host text, folder text) JOIN ${schema}.jobs j ON j.seed = g.seed
    ON CONFLICT (job, file) DO NOTHING`,
    [toJsonb(peers)],
  );
}
