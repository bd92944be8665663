import type { PoolClient } from 'pg';
import type { Database } from './database.ts';
import { chunkSize } from './schema.ts';
import { inTransaction } from './transaction.ts';
import type { JobState } from './types.ts';

/**
 * Plans rows of a job again in one transaction, and opens their chunks. No chunk is closed meanwhile.
 *
 * @param run - changes the rows, and calls `plans` with the number of each that is planned
 * @returns how many are planned
 */
export async function changeRows(
  { pool, schema }: Pick<Database, 'pool' | 'schema'>,
  job: string,
  run: (client: PoolClient, plans: (number: number) => void, state: JobState | undefined) => Promise<void>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ state: JobState }>(
      `SELECT state FROM ${schema}.jobs WHERE id = $1 FOR UPDATE`,
      [job],
    );
    let count = 0;
    // Not the rows: a job can have a million of them to repair.
    const chunks = new Set<number>();
    const plans = (number: number): void => {
      count += 1;
      chunks.add(Math.floor(number / chunkSize));
    };
    await run(client, plans, rows[0]?.state);
    if (count === 0) return 0;
    await client.query(
      `INSERT INTO ${schema}.chunks (job, number) SELECT $1::bigint, unnest($2::int[]) ON CONFLICT DO NOTHING`,
      [job, [...chunks]],
    );
    await client.query(
      `UPDATE ${schema}.jobs SET state = 'running', ended_at = NULL WHERE id = $1 AND state = 'finished'`,
      [job],
    );
    return count;
  });
}
