import { callMethod } from '../../catalogue/call.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import type { Io } from '../io.ts';
import { concernsRow, isPassing } from '../passing.ts';
import type { RowProgress } from './progress.ts';
import type { Report, Reported } from './report.ts';
import type { RowList } from './row-list.ts';

/** Consecutive failures of the service after which the run stops, because the service seems to be down. */
const maxInARow = 5;

/** Calls a method that reads for each row. Nothing is recorded, because it can be called again. */
export async function readForEach(
  { rows: { method }, connection: { client } }: Reported,
  list: RowList,
  report: Report,
  { parallel, progress, io }: { parallel: number; progress: RowProgress; io: Io },
): Promise<void> {
  const { counts } = report;
  const rows = rowsOf(list);
  let inARow = 0;
  const work = async (): Promise<void> => {
    while (!report.isStopped) {
      const { done, value: row } = rows.next();
      if (done) return;
      if (row.problem !== undefined) report.reject(row, row.problem);
      else
        try {
          const reply = await callMethod(client, method.name, row.params);
          inARow = 0;
          await report.done(row, { reply: hideSecretFields(reply) });
        } catch (error) {
          inARow = isPassing(error) ? inARow + 1 : 0;
          if (inARow === maxInARow)
            report.reason = `${maxInARow} consecutive rows failed. The service seems to be down.`;
          if (isPassing(error) || concernsRow(error)) report.reject(row, error instanceof Error ? error.message : '');
          else report.failure ??= error;
        }
      if (!io.signal.aborted) progress.show(counts.done + counts.rejected, counts.rejected);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

function* rowsOf(list: RowList) {
  for (const page of list.pages()) yield* page;
}
