import { messageOf } from '../../../shared/message-of.ts';
import { callMethod } from '../../catalogue/call-method.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import { concernsRow, isRetryable } from '../is-retryable.ts';
import { type Run, writeResult } from './report.ts';

/** Number of consecutive service failures after which the run stops, because the service seems to be down. */
const maxInARow = 5;

/** Calls a method that only reads, for each row. The rows are not recorded in a job, because reads can be repeated. */
export async function readForEach(run: Run): Promise<void> {
  const { rows, connection, list, progress, io } = run;
  const open = list.rows('open');
  const before = list.counts();
  const total = before.open + before.rejected;
  let { rejected } = before;
  let ended = rejected;
  let inARow = 0;
  const work = async (): Promise<void> => {
    while (run.failure === undefined && run.reason === undefined && !io.signal.aborted) {
      const { done, value: row } = open.next();
      if (done) return;
      try {
        const response = await callMethod(connection.client, rows.method.name, row.params);
        await writeResult(run, row, { response: hideSecretFields(response) });
        list.set(row, 'done');
        inARow = 0;
      } catch (error) {
        inARow = isRetryable(error) ? inARow + 1 : 0;
        if (inARow === maxInARow) run.reason = `${maxInARow} consecutive rows failed. The service seems to be down.`;
        if (!isRetryable(error) && !concernsRow(error)) {
          run.failure ??= error;
          return;
        }
        list.set(row, 'rejected', messageOf(error));
        rejected += 1;
      }
      ended += 1;
      if (!io.signal.aborted) progress.show(ended, total, rejected);
    }
  };
  await Promise.all(Array.from({ length: run.parallel }, work));
}
