import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { chunkSize } from './schema.ts';
import { inTransaction } from './transaction.ts';
import type { JobState } from './types.ts';

/**
 * Plans rows of a job again in one transaction, and opens their chunks. No chunk is closed meanwhile.
 *
 * @param run - changes the rows; returns the numbers of those that are planned
 * @returns how many are planned
 */
export async function changeRows(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  job: string,
  run: (client: PoolClient, state: JobState | undefined) => Promise<number[]>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: JobState }>(
      `SELECT state FROM ${schema}.jobs WHERE id = $1 FOR UPDATE`,
      [job],
    );
    const numbers = await run(client, rows[0]?.state);
    if (numbers.length === 0) return 0;
    await client.query(
      `INSERT INTO ${schema}.chunks (job, number) SELECT DISTINCT $1::bigint, n / $3::int FROM unnest($2::int[]) n
      ON CONFLICT DO NOTHING`,
      [job, numbers, chunkSize],
    );
    await client.query(
      `UPDATE ${schema}.jobs SET state = 'running', ended_at = NULL WHERE id = $1 AND state = 'finished'`,
      [job],
    );
    return numbers.length;
  });
}
