import { setTimeout } from 'node:timers/promises';
import { JobsError } from '../jobs-error.ts';
import type { ResumeAnswer } from '../types.ts';
import { type Database, inTransaction, longStatement } from './database.ts';
import { findJob } from './read-jobs.ts';

/** A range of lines, both ends included. */
type Lines = readonly [first: number, last: number];

/**
 * Continues a paused job, and ends the waits of a running one. After its data went back, a person has to say which rows were sent, unless
 * all files have come back.
 *
 * @param back - milliseconds in which living workers come back. Without an answer, the job waits for them: one that began after the
 * state that came back is unknown to the database, and perhaps to all other files
 * @param onWait - called with the milliseconds of this wait
 */
export async function resumeJob(
  db: Database,
  name: string,
  answer: ResumeAnswer,
  { back, onWait }: { back: number; onWait: (milliseconds: number) => void },
): Promise<void> {
  const { id, state, wentBackAt } = await findJob(db, name);
  if (state !== 'paused' && state !== 'running')
    throw new JobsError(`The job ${name} is ${state}: it cannot become running.`);
  if (wentBackAt === null) {
    await db.pool.query(`SELECT ${db.schema}.resume($1)`, [id]);
    return;
  }
  if (answer.sent === undefined) {
    // Refuses at once if a file is missing.
    await suspectsOf(db, { id, name, wentBackAt }, answer);
    const left = await readTimeLeft(db, id, back);
    if (left > 0) {
      onWait(left);
      await setTimeout(left);
    }
  }
  await inTransaction(db.pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${longStatement}`);
    const locked = await client.query<{ wentBackAt: Date | null }>(
      `SELECT went_back_at AS "wentBackAt" FROM ${db.schema}.jobs WHERE id = $1 FOR NO KEY UPDATE`,
      [id],
    );
    if (locked.rows[0]?.wentBackAt?.getTime() !== wentBackAt.getTime())
      throw new JobsError(`The job ${name} has changed meanwhile: see its status, and resume it again.`);
    const { isAll, keys, lines } = await suspectsOf(db, { id, name, wentBackAt }, answer);
    const query = { query_timeout: longStatement + 5_000 };
    await client.query({
      ...query,
      text: `SELECT ${db.schema}.answer($1, $2, $3, $4::int4multirange)`,
      values: [id, isAll, keys, `{${lines.map(([first, last]) => `[${first},${last}]`).join()}}`],
    });
  });
}

/** Milliseconds until living workers have come back, by the clock of the database. */
async function readTimeLeft({ pool, schema }: Database, id: string, back: number): Promise<number> {
  const { rows } = await pool.query<{ age: number | null }>(
    `SELECT (extract(epoch FROM clock_timestamp() - went_back_at) * 1000)::float8 AS age FROM ${schema}.jobs WHERE id = $1`,
    [id],
  );
  // A clock that was set back must not make it wait for longer.
  return Math.min(back, Math.max(0, back - (rows[0]?.age ?? 0)));
}

/** Determines which planned rows may have been sent. */
async function suspectsOf(
  db: Database,
  { id, name, wentBackAt }: { id: string; name: string; wentBackAt: Date },
  { sent, sentBefore }: ResumeAnswer,
): Promise<{ isAll: boolean; keys: readonly string[]; lines: readonly Lines[] }> {
  const nothing = { isAll: false, keys: [], lines: [] };
  if (sent !== undefined && sentBefore !== undefined) throw new JobsError('Pass sent or sentBefore, not both.');
  if (sent === 'none') return nothing;
  if (sent === 'all') return { ...nothing, isAll: true };
  if (sent !== undefined) return { ...nothing, ...(await checkRows(db, id, name, sent)) };
  if (sentBefore !== undefined) {
    const last = await readLastCommit(db, id);
    if (last && last.getTime() >= sentBefore.getTime()) return nothing;
    throw new JobsError(
      `The database has requests of the job ${name} only up to ${last?.toISOString() ?? 'no known time'}. Those between then and ${sentBefore.toISOString()} are missing: say which rows they were (--sent ROWS, --sent-file FILE), or --sent all.`,
    );
  }
  const { isKnown, missing } = await readFiles(db, id);
  if (isKnown && missing.length === 0) return nothing;
  const who =
    missing.length === 0
      ? 'The database does not know which workers have sent rows of it.'
      : `The files of these workers did not come back: ${missing.map(({ host, folder }) => `${folder} on ${host}`).join(', ')}.`;
  throw new UnansweredError(
    `The job ${name} went back to an earlier state, noticed at ${wentBackAt.toISOString()}. ${who} Start a worker there and resume again, or say which planned rows may have been sent: --sent ROWS (lines of its source, such as 2-400,512; all or none), --sent-file FILE (a column key or line), or --sent-before TIME (nothing was sent from then on).`,
  );
}

/** Nobody has said yet which rows of a job were sent. */
export class UnansweredError extends JobsError {}

/** Refuses rows that the job does not have, because the person then means other ones. */
async function checkRows(
  { pool, schema }: Database,
  id: string,
  name: string,
  sent: readonly (string | Lines)[],
): Promise<{ keys: string[]; lines: Lines[] }> {
  const keys = sent.filter((row) => typeof row === 'string');
  const lines = sent.filter((row) => typeof row !== 'string');
  const wrong = lines.find(
    ([first, last]) => !(Number.isSafeInteger(first) && first > 0 && last >= first && last < 2 ** 31 - 1),
  );
  if (wrong) throw new JobsError(`${wrong.join('-')} are not lines.`);
  const { rows } = await pool.query<{ key: string }>(
    `SELECT key FROM unnest($2::text[]) AS g (key) WHERE NOT EXISTS (SELECT FROM ${schema}.rows r WHERE r.job = $1 AND r.key = g.key) LIMIT 1`,
    [id, keys],
  );
  if (rows[0]) throw new JobsError(`The job ${name} has no row ${rows[0].key}.`);
  const last = await pool.query<{ line: number | null }>(
    `SELECT max(line) AS line FROM ${schema}.rows WHERE job = $1`,
    [id],
  );
  const beyond = lines.find(([, end]) => end > (last.rows[0]?.line ?? 0));
  if (beyond)
    throw new JobsError(`The last row of the job ${name} is in line ${last.rows[0]?.line}, before line ${beyond[1]}.`);
  return { keys, lines };
}

async function readLastCommit({ pool, schema }: Database, id: string): Promise<Date | undefined> {
  const { rows } = await pool.query<{ last: Date | null }>(
    `SELECT max(sent_at) AS last FROM ${schema}.rows WHERE job = $1`,
    [id],
  );
  return rows[0]?.last ?? undefined;
}

/**
 * Reads whether the database knows any file of a worker that has sent rows of a job, and which ones have not come back. A worker that was
 * active when the data went back may have sent its first row later.
 */
async function readFiles({ pool, schema }: Database, id: string) {
  const { rows } = await pool.query<{ host: string; folder: string; isBack: boolean }>(
    `SELECT host, folder, is_back AS "isBack" FROM ${schema}.files WHERE job = $1
    UNION ALL SELECT w.host, 'process ' || w.process, false FROM ${schema}.workers w JOIN ${schema}.jobs j ON j.id = $1
    WHERE w.is_missing AND j.queue = ANY (w.queues) AND NOT EXISTS (SELECT FROM ${schema}.files f WHERE f.job = j.id AND f.file = w.file)
    ORDER BY 1, 2`,
    [id],
  );
  return { isKnown: rows.length > 0, missing: rows.filter(({ isBack }) => !isBack) };
}
