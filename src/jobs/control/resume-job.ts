import { JobsError } from '../jobs-error.ts';
import type { JobOverview, Store } from '../store/store.ts';
import type { ResumeAnswer } from '../types.ts';
import { type ChosenRows, readChoice } from './chosen-rows.ts';
import { pagesOf } from './read-rows.ts';
import { findJob } from './read-status.ts';

/** Number by which the marks of a job grow after an answer, so that no machine has seen more marks. */
const jump = 1_000_000_000;

/**
 * Resumes a paused job, or ends the waits of a running job. If the data of the job was reset to an earlier state, a person has to
 * specify which rows may have been sent. These rows are looked up.
 *
 * @returns the place where the job now runs
 */
export async function resumeJob(store: Store, name: string, answer: ResumeAnswer): Promise<string> {
  const job = await findJob(store, name);
  const { id, state } = job;
  if (state !== 'paused' && state !== 'running')
    throw new JobsError(`The job ${name} is ${state}, so it cannot be resumed.`);
  const place = await store.place();
  const isBack = job.wentBackAt !== null || job.place !== place;
  if (isBack) await putInDoubt(store, job, await suspectsOf(store, job, answer));
  await store.endDelay(job);
  const change = { state: 'running', reason: null, place } as const;
  const isSame = await store.changeJob(
    id,
    { ...change, ...(isBack && { wentBackAt: null, marks: job.marks + jump }) },
    { place: job.place, wentBackAt: job.wentBackAt },
  );
  // The answer referred to other data.
  if (!isSame)
    throw new JobsError(`The job ${name} has changed in the meantime: check its status, then resume the job.`);
  // The last rows of the job may have ended while the job was paused.
  await store.finish(id);
  return place;
}

async function putInDoubt(store: Store, { id }: JobOverview, suspects: ChosenRows): Promise<void> {
  const reason = 'The row may have been sent before the data was reset to an earlier state';
  for await (const page of pagesOf(store, id, ['planned'])) {
    const those = page.filter(suspects.has);
    await store.changeRows(
      id,
      those.map(({ number, attempt }) => ({ number, attempt, state: 'doubt', reason })),
    );
  }
}

async function suspectsOf(store: Store, job: JobOverview, { sent }: ResumeAnswer): Promise<ChosenRows> {
  if (sent === undefined)
    throw new JobsError(
      `The data of the job ${job.name} was reset to an earlier state, or is a copy. Specify which planned rows may have been sent: --sent ROWS (source lines such as 2-400,512, or 'all' or 'none'). With 'all', each planned row is looked up before it is sent.`,
    );
  const chosen = readChoice(sent);
  await checkRows(store, job, chosen);
  return chosen;
}

/** @throws `JobsError` if the answer names a row that the job does not have, because the person then means other rows */
async function checkRows(store: Store, { id, name }: JobOverview, { keys, lines }: ChosenRows): Promise<void> {
  for (const key of keys)
    if ((await store.rows(id, { keys: [key] })).length === 0) throw new JobsError(`The job ${name} has no row ${key}.`);
  const [last] = await store.rows(id, { upToLine: 2 ** 31 - 1, limit: 1 });
  const beyond = lines.find(([, end]) => end > (last?.line ?? 0));
  if (beyond) throw new JobsError(`The job ${name} ends at line ${last?.line}; there is no row on line ${beyond[1]}.`);
}
