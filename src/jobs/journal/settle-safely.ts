import type { Logger } from 'carillon';
import type { Database } from './database.ts';
import { settleRows } from './exchange.ts';
import { isUnstorable } from '../store/explain.ts';
import type { Outcome } from './rows.ts';

/** Result of `settleSafely`. */
export interface Settled {
  /** The outcomes as they were given to the database: some may have become `unknown`. */
  readonly settled: readonly Outcome[];
  /** Those of them that count. */
  readonly written: readonly Outcome[];
  readonly reopened: readonly { job: string; chunk: number }[];
}

/**
 * Writes outcomes. One that the database refuses does not hold up the others: its row becomes `unknown`, with the reason.
 *
 * @throws errors of the connection
 */
export async function settleSafely(
  db: Pick<Database, 'pool' | 'schema'>,
  outcomes: readonly Outcome[],
  logger: Pick<Logger, 'warn'>,
): Promise<Settled> {
  try {
    return { settled: outcomes, ...(await settleRows(db.pool, db.schema, outcomes)) };
  } catch (error) {
    const [outcome] = outcomes;
    if (!outcome || !isUnstorable(error)) throw error;
    if (outcomes.length > 1) {
      const each: Settled[] = [];
      for (const one of outcomes) each.push(await settleSafely(db, [one], logger));
      return {
        settled: each.flatMap(({ settled }) => settled),
        written: each.flatMap(({ written }) => written),
        reopened: each.flatMap(({ reopened }) => reopened),
      };
    }
    const { job, seed, number, attempt, worker, step, state } = outcome;
    logger.warn(`carillon: the result of row ${number} cannot be stored (${error.message}). It is listed as unknown.`);
    // The results of earlier steps stay in the row.
    const reason = `Its outcome was ${state}, but its result cannot be stored (${error.message.slice(0, 200)})`;
    const settled = [{ job, seed, number, attempt, worker, step, state: 'unknown', results: null, reason }] as const;
    return { settled, ...(await settleRows(db.pool, db.schema, settled)) };
  }
}
