import type { Logger } from 'carillon';
import type { Database } from './database.ts';
import { isUnstorable } from './explain.ts';
import { type Outcome, settleRows } from './rows.ts';

/** What `settleSafely` has written. */
export interface Settled {
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
    return await settleRows(db.pool, db.schema, outcomes);
  } catch (error) {
    const [outcome] = outcomes;
    if (!outcome || !isUnstorable(error)) throw error;
    if (outcomes.length > 1) {
      const written: Outcome[] = [];
      const reopened: { job: string; chunk: number }[] = [];
      for (const one of outcomes) {
        const settled = await settleSafely(db, [one], logger);
        // The row counts, although its outcome became another one.
        if (settled.written.length > 0) written.push(one);
        reopened.push(...settled.reopened);
      }
      return { written, reopened };
    }
    const { message } = error;
    const { job, seed, number, attempt, worker, step } = outcome;
    logger.warn(`carillon: the result of row ${number} cannot be stored (${message}). It is listed as unknown.`);
    // The results of earlier steps stay in the row.
    const reason = `Its outcome was ${outcome.state}, but its result cannot be stored (${message.slice(0, 200)})`;
    const unknown: Outcome = { job, seed, number, attempt, worker, step, state: 'unknown', results: null, reason };
    const settled = await settleRows(db.pool, db.schema, [unknown]);
    return { ...settled, written: settled.written.length > 0 ? [outcome] : [] };
  }
}
