import { JobsError } from '../jobs-error.ts';

/** The part of a connection that the check needs. */
export interface Connection {
  query(text: string): Promise<{ rows: { pid?: unknown }[] }>;
}

/**
 * Refuses a pooler in transaction mode, which can run each statement in another session, so that session locks have no effect.
 * While the second connection holds a transaction open, such a pooler gives the first one another session, or has given both the
 * same one.
 *
 * @param first - a connection without a transaction
 * @param second - another connection
 * @throws `JobsError` if the connections do not each have their own session
 */
export async function refuseTransactionPooler(first: Connection, second: Connection): Promise<void> {
  const pidOf = async (connection: Connection): Promise<unknown> =>
    (await connection.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  const before = await pidOf(first);
  await second.query('BEGIN');
  const other = await pidOf(second);
  const during = await pidOf(first);
  await second.query('COMMIT');
  const after = await pidOf(first);
  if (before === other || during === other || before !== during || during !== after) {
    throw new JobsError(
      'The connection goes through a pooler in transaction mode, where locks protect nothing. Connect to Postgres directly, or to a pool in session mode.',
    );
  }
}
