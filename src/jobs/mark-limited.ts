import type { Client } from 'pg';
import { type Mark, type Marked, markSent } from './journal.ts';

/** Marks rows as sent where a job has a limit of rows in flight over all machines. */
export async function markLimited(
  client: Client,
  schema: string,
  given: { worker: number; marks: readonly Mark[]; now: string },
  limits: ReadonlyMap<string, number>,
): Promise<Marked[]> {
  const limited = [...new Set(given.marks.map(({ job }) => job))].filter((job) => limits.has(job));
  if (limited.length === 0) return markSent(client, schema, given);
  await client.query('BEGIN');
  try {
    // Others count after this transaction, and see its rows. Ordered, so that two workers never wait for each other.
    await client.query(`SELECT FROM ${schema}.jobs WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE`, [
      limited,
    ]);
    const { rows } = await client.query<{ job: string; count: number }>(
      `SELECT job::text, count(*)::int FROM ${schema}.rows WHERE job = ANY ($1::bigint[]) AND state = 'sent' AND worker IS NOT NULL
      GROUP BY job`,
      [limited],
    );
    const inFlight = new Map(rows.map(({ job, count }) => [job, count]));
    const isAllowed = given.marks.map(({ job }) => {
      const count = (inFlight.get(job) ?? 0) + 1;
      const allowed = count <= (limits.get(job) ?? Number.POSITIVE_INFINITY);
      if (allowed) inFlight.set(job, count);
      return allowed;
    });
    const allowed = given.marks.filter((_, index) => isAllowed[index]);
    const marked = allowed.length > 0 ? await markSent(client, schema, { ...given, marks: allowed }) : [];
    await client.query('COMMIT');
    const results = marked.values();
    const full: Marked = { attempt: null, jobState: 'running', waitUntil: null };
    return isAllowed.map((each) => (each ? (results.next().value ?? full) : full));
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
