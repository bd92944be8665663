import type { Quota } from '../shared/reference.ts';
import { timeAsSql } from './clock.ts';
import type { Database } from './database.ts';

/** Quotas, rates and pauses that all machines share. */
export interface Limits {
  /**
   * Reserves one request. A quota of n requests has n slots, and a slot is free again when its window has passed since the latest
   * moment at which its request can have arrived. So no window contains more than n requests, whoever sends them.
   *
   * @param name - what has the quota: operation and account, or website
   * @param deadline - latest arrival of the request in milliseconds from now
   * @returns `undefined` if the request may leave, otherwise when a slot will be free
   */
  reserve(name: string, quota: Pick<Quota, 'requests' | 'seconds'>, deadline: number): Promise<Date | undefined>;
  /**
   * Reserves moments of a rate.
   *
   * @returns milliseconds until the request may leave
   */
  pace(job: string, perSecond: number): Promise<number>;
  /** All requests of an account wait, on all machines. */
  wait(account: string, milliseconds: number): Promise<void>;
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
      // Not below a moment from now: slots that others just reserve are skipped above.
      const { rows } = await pool.query<{ free: Date }>(
        `SELECT greatest(min(free_at), ${now} + interval '0.1 second') AS free FROM ${schema}.slots WHERE quota = $1 AND slot < $2`,
        [name, requests],
      );
      return rows[0]?.free ?? new Date();
    },

    async pace(job, perSecond) {
      const now = timeAsSql(clock);
      const { rows } = await pool.query<{ wait: number }>(
        `INSERT INTO ${schema}.waits AS w (name, until) VALUES ('rate ' || $1, ${now} + $2 * interval '1 second')
        ON CONFLICT (name) DO UPDATE SET until = greatest(w.until, ${now}) + $2 * interval '1 second'
        RETURNING extract(epoch FROM w.until - ${now})::float8 * 1000 AS wait`,
        [job, 1 / perSecond],
      );
      return Math.max(0, (rows[0]?.wait ?? 0) - 1_000 / perSecond);
    },

    async wait(account, milliseconds) {
      const now = timeAsSql(clock);
      await pool.query(
        `INSERT INTO ${schema}.waits AS w (name, until) VALUES ('account ' || $1, ${now} + $2 * interval '1 millisecond')
        ON CONFLICT (name) DO UPDATE SET until = greatest(w.until, excluded.until)`,
        [account, milliseconds],
      );
    },
  };
}
