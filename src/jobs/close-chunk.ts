import type { Database } from './database.ts';
import { chunkSize } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Closes a chunk without open rows, and ends a job without chunks. Returns whether the chunk is closed now. */
export async function closeChunk({ pool, schema }: Database, job: string, chunk: number): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // Locked first: the statements below then see the rows that others have just planned again, and the chunks that they have closed.
    await client.query(`SELECT FROM ${schema}.jobs WHERE id = $1 FOR NO KEY UPDATE`, [job]);
    const closed = await client.query(
      `DELETE FROM ${schema}.chunks c USING ${schema}.jobs j
      WHERE c.job = $1 AND c.number = $2 AND j.id = c.job AND NOT EXISTS (
        SELECT FROM ${schema}.rows r WHERE r.job = $1 AND r.number >= $3 AND r.number < $4
          AND (r.state = 'sent' OR r.state = 'planned' AND j.state <> 'cancelled')
      )`,
      [job, chunk, chunk * chunkSize, (chunk + 1) * chunkSize],
    );
    if (!closed.rowCount) {
      const { rowCount } = await client.query(`SELECT FROM ${schema}.chunks WHERE job = $1 AND number = $2`, [
        job,
        chunk,
      ]);
      // Another message for the same chunk came earlier.
      return !rowCount;
    }
    await client.query(
      `UPDATE ${schema}.jobs SET state = 'finished', ended_at = clock_timestamp()
      WHERE id = $1 AND state = 'running' AND NOT EXISTS (SELECT FROM ${schema}.chunks WHERE job = $1)`,
      [job],
    );
    return true;
  });
}
