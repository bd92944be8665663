import { changeRows } from './change-rows.ts';
import type { Database } from './database.ts';
import { type Outcome, settle, settleLate } from './journal.ts';

/** Writes outcomes: those of rows that the journal shows as the worker's own, and those that come late but are certain. */
export async function writeOutcomes(
  db: Pick<Database, 'pool' | 'schema'>,
  outcomes: readonly Outcome[],
): Promise<void> {
  const others = await settle(db.pool, db.schema, outcomes);
  const late = others.filter(({ state }) => state === 'planned' || state === 'done' || state === 'refused');
  for (const job of new Set(late.map((outcome) => outcome.job))) {
    await changeRows(db, job, async (client, plans) => {
      const own = late.filter((outcome) => outcome.job === job);
      const written = await settleLate(client, db.schema, own);
      for (const { state, number } of written) if (state === 'planned') plans(number);
    });
  }
}
