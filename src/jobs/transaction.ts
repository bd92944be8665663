import type { Pool, PoolClient } from 'pg';

/** Runs statements in one transaction. */
export async function inTransaction<Result>(pool: Pool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Closes the connection: nothing of the transaction stays.
    client.release(true);
    throw error;
  }
}
