import type { Store } from '../store/store.ts';
import type { StoredJob } from '../store/tables.ts';

/** Reasons why rows in the state `planned` may have been sent. */
const reasons = {
  place: 'The job last ran elsewhere: the database has failed over, or the data was restored, copied or moved',
  marks:
    'The jobs were reset to an earlier state: they record fewer claimed batches of rows than this machine has seen',
};

/**
 * Pauses a job whose data was reset to an earlier state, until a person specifies which rows may have been sent.
 *
 * @param seen - highest number of the job's marks that this machine has seen
 */
export async function pauseWentBack(
  store: Store,
  { id, state, wentBackAt, place }: Pick<StoredJob, 'id' | 'state' | 'wentBackAt' | 'place'>,
  seen: number,
): Promise<boolean> {
  if (wentBackAt !== null) return false;
  const why = place === (await store.place()) ? 'marks' : 'place';
  const now = await store.now();
  const reason = `${reasons[why]} (noticed at ${new Date(now).toISOString()}). Rows that were sent may be shown as planned. If another copy of the data still contains this job, stop the job there. Check what the service has received, then resume the job and specify which planned rows may have been sent.`;
  return store.changeJob(
    id,
    { wentBackAt: now, reason, ...(state === 'running' && { state: 'paused' }) },
    {
      states: state === 'running' ? ['running'] : ['paused', 'finished', 'cancelled'],
      // Another worker may have noticed the reset, and a person may have answered.
      place,
      ...(why === 'marks' && { marksBelow: seen }),
    },
  );
}

/**
 * Whether a job has fewer marks than this machine has seen.
 *
 * @param seen - number of marks that was read before this call. Claims of other workers increase the marks at any time, so only marks
 * that are read after `seen` prove anything
 */
export async function isBehind(
  store: Store,
  { name, marks }: Pick<StoredJob, 'name' | 'marks'>,
  seen: number,
): Promise<boolean> {
  if (marks >= seen) return false;
  const [now] = await store.jobs(name);
  return now !== undefined && now.marks < seen;
}
