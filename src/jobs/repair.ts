import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { JobsError } from './jobs-error.ts';
import { findJob } from './read-jobs.ts';
import { chunkSize } from './schema.ts';
import { toJsonb } from './to-jsonb.ts';
import type { Decision, Source } from './types.ts';

/** Plans refused rows again with corrected values, all or none. Returns how many. */
export async function repairRows(db: Database, name: string, source: Source): Promise<number> {
  const { id } = await findJob(db, name);
  return change(db, id, async (client) => {
    const numbers: number[] = [];
    for await (const { key, line, values, problem } of source.rows()) {
      if (problem !== undefined) throw new JobsError(`Line ${line}: ${problem}. Nothing was planned.`);
      const { rows } = await client.query<{ number: number }>(
        `UPDATE ${db.schema}.rows SET state = 'planned', "values" = $3::jsonb, step = NULL, reason = NULL, code = NULL, line = $4
        WHERE job = $1 AND key = $2 AND state = 'refused' RETURNING number`,
        [id, key, toJsonb(values), line],
      );
      const [row] = rows;
      if (!row)
        throw new JobsError(`Line ${line}: ${key} is not a refused row of the job ${name}. Nothing was planned.`);
      numbers.push(row.number);
    }
    return numbers;
  });
}

/** Records what a person found out about an unknown row. */
export async function decideRow(db: Database, name: string, key: string, { outcome, result }: Decision): Promise<void> {
  const { id } = await findJob(db, name);
  await change(db, id, async (client) => {
    // The row keeps the name of its step, whose result follows.
    const { rows } = await client.query<{ number: number }>(
      `UPDATE ${db.schema}.rows SET state = 'planned', reason = NULL, code = NULL,
        results = CASE WHEN $3 THEN coalesce(results, '{}') || jsonb_build_object(step, $4::jsonb) ELSE results END
      WHERE job = $1 AND key = $2 AND state = 'unknown' RETURNING number`,
      [id, key, outcome === 'done', toJsonb(result ?? null)],
    );
    const [row] = rows;
    if (!row) throw new JobsError(`${key} is not an unknown row of the job ${name}.`);
    return [row.number];
  });
}

/** Changes rows in one transaction and opens their chunks. Returns the number of rows. */
async function change(db: Database, id: string, run: (client: PoolClient) => Promise<number[]>): Promise<number> {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ state: string }>(
      `SELECT state FROM ${db.schema}.jobs WHERE id = $1 FOR UPDATE`,
      [id],
    );
    if (rows[0]?.state === 'cancelled') throw new JobsError('The job was cancelled: plan a new one.');
    const numbers = await run(client);
    await client.query(
      `INSERT INTO ${db.schema}.chunks (job, number) SELECT DISTINCT $1::bigint, n / $3::int FROM unnest($2::int[]) n
      ON CONFLICT DO NOTHING`,
      [id, numbers, chunkSize],
    );
    await client.query(
      `UPDATE ${db.schema}.jobs SET state = 'running', ended_at = NULL WHERE id = $1 AND state = 'finished' AND $2`,
      [id, numbers.length > 0],
    );
    await client.query('COMMIT');
    client.release();
    return numbers.length;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
