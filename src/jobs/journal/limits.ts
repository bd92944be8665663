import type { Quota } from '../../shared/reference.ts';
import type { Database } from './database.ts';
import { timeAsSql } from './rows.ts';

/** Quotas, rates and pauses, shared by all machines. */
export interface Limits {
  /**
   * Reserves one request. A quota of n requests has n slots. A slot is free again when the window has passed since the latest
   * possible arrival of its request. Therefore, no window contains more than n requests, from any number of machines.
   *
   * @param name - owner of the quota: operation and account, or website
   * @param deadline - latest arrival of the request, in milliseconds from now
   * @returns `undefined` if the request may be sent, otherwise milliseconds until a slot is free
   */
  reserve(name: string, quota: Pick<Quota, 'requests' | 'seconds'>, deadline: number): Promise<number | undefined>;
  /**
   * Reserves a time slot of the rate that a job has now.
   *
   * @returns milliseconds until the request may be sent
   */
  pace(job: string): Promise<number>;
  /** Delays all requests of an account on all machines. The name comes from `accountWait`. */
  wait(name: string, milliseconds: number): Promise<void>;
}

/** The limits in the database. */
export function createLimits({ pool, schema }: Pick<Database, 'pool' | 'schema'>, clock?: () => number): Limits {
  return {
    async reserve(name, { requests, seconds }, deadline) {
      const now = timeAsSql(clock);
      const take = async (): Promise<number | null> =>
        (
          await pool.query(
            `UPDATE ${schema}.slots SET free_at = ${now} + $2 * interval '1 millisecond'
            WHERE quota = $1 AND slot = (
              SELECT slot FROM ${schema}.slots WHERE quota = $1 AND slot < $3 AND free_at <= ${now}
              ORDER BY free_at, slot LIMIT 1 FOR UPDATE SKIP LOCKED
            )`,
            [name, seconds * 1_000 + deadline, requests],
          )
        ).rowCount;
      if (await take()) return undefined;
      const created = await pool.query(
        `INSERT INTO ${schema}.slots (quota, slot) SELECT $1, generate_series(0, $2::int - 1) ON CONFLICT DO NOTHING`,
        [name, requests],
      );
      if (created.rowCount && (await take())) return undefined;
      // Wait at least 0.1 seconds, because the query above skips slots that others are just reserving.
      const { rows } = await pool.query<{ wait: number | null }>(
        `SELECT (extract(epoch FROM greatest(min(free_at), ${now} + interval '0.1 second') - ${now}) * 1000)::float8 AS wait FROM ${schema}.slots
        WHERE quota = $1 AND slot < $2`,
        [name, requests],
      );
      return rows[0]?.wait ?? 100;
    },

    async pace(job) {
      const now = timeAsSql(clock);
      // The end of the slot of this request, and of its predecessor, which is its beginning.
      const { rows } = await pool.query<{ wait: number }>(
        `INSERT INTO ${schema}.waits AS w (name, until)
        SELECT 'rate ' || j.id, ${now} + interval '1 second' / j.rate FROM ${schema}.jobs j WHERE j.id = $1 AND j.rate IS NOT NULL
        ON CONFLICT (name) DO UPDATE SET until = greatest(w.until, ${now}) + (excluded.until - ${now})
        RETURNING extract(epoch FROM w.until - ${now})::float8 * 1000
          - (SELECT 1000 / j.rate FROM ${schema}.jobs j WHERE j.id = $1) AS wait`,
        [job],
      );
      return Math.max(0, rows[0]?.wait ?? 0);
    },

    async wait(name, milliseconds) {
      const now = timeAsSql(clock);
      await pool.query(
        `INSERT INTO ${schema}.waits AS w (name, until) VALUES ($1, ${now} + $2 * interval '1 millisecond')
        ON CONFLICT (name) DO UPDATE SET until = greatest(w.until, excluded.until)`,
        [name, milliseconds],
      );
    },
  };
}

/** Name of the wait after a 429, which applies to the account at its service. */
export function accountWait({ account, service }: { account: string; service: string }): string {
  return `account ${account} ${service}`;
}
