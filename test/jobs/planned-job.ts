import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/jobs/journal/database.ts';
import { createDatabase } from './start-postgres.ts';

/** Writes a running job with 50 planned rows into a new database, without planning it. Returns its ID. */
export async function openPlannedJob(): Promise<{ db: Database; job: string }> {
  const db = await openDatabase({ database: await createDatabase(inject('postgresPort')) });
  onTestFinished(() => db.close());
  const { rows } = await db.pool.query(
    `INSERT INTO ${db.schema}.jobs (name, account, service, queue, definition, version, steps, checksum, options, deadline, lookup_after)
    VALUES ('a', '', '', '', '', 1, '{}', '', '{}', 1000, 1000) RETURNING id::text`,
  );
  const job: string = rows[0].id;
  await db.pool.query(
    `INSERT INTO ${db.schema}.rows (job, number, line, key, state) SELECT $1, n, n, n::text, 'planned' FROM generate_series(1, 50) n`,
    [job],
  );
  return { db, job };
}
