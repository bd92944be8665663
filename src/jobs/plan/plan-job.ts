import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'carillon';
import { checkLimits, checkPriority } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import { toStorable } from '../store/storable.ts';
import type { JobOverview, Store } from '../store/store.ts';
import type { StoredJob } from '../store/tables.ts';
import { openNotes } from '../temporary-notes.ts';
import type { JobDefinition, PlanOptions } from '../types.ts';
import { defaultDeadline, markLifetime } from '../work/attempt.ts';
import type { FolderMemory } from '../work/folder-memory.ts';
import { differenceOf, type Fingerprint, fingerprintOf, queueOf, type Target } from './fingerprint.ts';
import { RowInsert } from './row-insert.ts';
import { updateJob } from './update-job.ts';

const maxNameLength = 200;

/** Maximum number of earlier jobs with the same source that are named, and the properties that these jobs have in common. */
const maxNames = 5;
const sourceKeys = ['account', 'service', 'definition', 'checksum'] as const;

interface Parts {
  readonly store: Store;
  readonly memory: FolderMemory;
  readonly target: Target;
  readonly api: Client;
}

/**
 * Plans a job. An existing job is only compared with the given one, not planned again.
 *
 * @returns name of the job
 */
export async function planJob<Values, Options>(
  { store, memory, target, api }: Parts,
  job: JobDefinition<Values, Options>,
  { name = job.name, options, isSentBefore = false, isUpdate = false, ...own }: PlanOptions<Options>,
): Promise<string> {
  const { concurrency, rate, priority = 0, startAt, retention } = own;
  const { deadline = defaultDeadline } = job;
  checkName(name);
  checkLimits(name, { concurrency, rate, retention });
  checkPriority(name, priority);
  if (startAt && Number.isNaN(startAt.getTime())) throw new JobsError(`${name}: startAt must be a valid date`);
  const source = await job.source(options, { api });
  const checksum = await source.checksum();
  const print = fingerprintOf(job as JobDefinition);
  const given = { ...print, ...target, checksum, options };
  const join = async (existing: JobOverview): Promise<string> => {
    compare(existing, isUpdate ? { ...given, checksum: existing.checksum } : given);
    if (isUpdate) await updateJob(store, existing, source, checksum);
    return name;
  };
  const [existing] = await store.jobs(name);
  if (existing) return join(existing);
  const isHarmless = job.steps.every((step) => step.repeatable === true);
  if (!isHarmless && !isSentBefore) await assertNotRemembered(store, memory, print.definition, { name, checksum });
  const sameSource = isHarmless ? [] : await namesOfSameSource(store, { ...target, ...print, checksum });
  const notes = await openNotes();
  try {
    const id = await store.plan(
      {
        name,
        seed: randomUUID(),
        ...target,
        ...print,
        queue: queueOf(target, print),
        checksum,
        options: toStorable(options ?? null),
        deadline,
        lookupAfter: deadline + markLifetime(deadline),
        concurrency: concurrency ?? null,
        rate: rate ?? null,
        priority,
        startAt: startAt?.getTime() ?? null,
        retention: retention ?? null,
      },
      async (insert) => {
        const rows = new RowInsert(insert);
        for await (const row of source.rows(notes)) await rows.add(row);
        await rows.flush();
        if ((await source.checksum()) !== checksum)
          throw new JobsError(`The source of the job ${name} changed while it was being read. Plan the job again.`);
        return { total: rows.total, plan: { ...rows.summary, sameSource } };
      },
    );
    if (id === undefined) {
      const [other] = await store.jobs(name);
      if (!other) throw new JobsError(`The job ${name} has just been removed. Plan the job again.`);
      return await join(other);
    }
    const [created] = await store.jobs(name);
    if (created) await memory.keep({ ...created, location: store.location });
    return name;
  } finally {
    notes.close();
  }
}

/** @throws `JobsError` if a person could not retype the name */
function checkName(name: string): void {
  if (name.trim() === '' || name !== name.trim() || name.length > maxNameLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(name))
    throw new JobsError(
      `${JSON.stringify(name)} is not a valid job name: use 1 to ${maxNameLength} characters without control characters, and without spaces at the start or end. Choose a name with --name.`,
    );
}

/** @throws `JobsError` if this folder remembers a job with this name or source that the store has lost, or that is in another store */
async function assertNotRemembered(
  store: Store,
  memory: FolderMemory,
  definition: string,
  job: { name: string; checksum: string },
): Promise<void> {
  const known = await memory.find(definition, job);
  if (known.length === 0) return;
  const seeds = new Set((await store.jobs()).map(({ seed }) => seed));
  const lost = known.find(({ seed }) => !seeds.has(seed));
  if (!lost) return;
  const what = lost.name === job.name ? `a job ${lost.name}` : `the job ${lost.name} with the same source`;
  const place = await store.place();
  const where =
    lost.place === place || lost.location === store.location
      ? `which is no longer in ${store.location}: that file or database was lost, emptied or replaced`
      : `which is in ${lost.location}, not in ${store.location}`;
  throw new JobsError(
    `This folder remembers ${what}, ${where}. Rows of that job may have been sent. Open or restore the folder or database of that job. To plan the job here and send all its rows, possibly again, set isSentBefore (--again).`,
  );
}

/** Returns the names of earlier jobs that send the same rows, the newest first. */
async function namesOfSameSource(store: Store, job: Pick<StoredJob, (typeof sourceKeys)[number]>): Promise<string[]> {
  const same = (await store.jobs()).filter((other) => sourceKeys.every((key) => other[key] === job[key]));
  return same.slice(0, maxNames).map(({ name }) => name);
}

/** @throws `JobsError` if a job has a different definition, source, target or different options. The limits of the job are not compared */
function compare(planned: StoredJob, given: Fingerprint & Target & { checksum: string; options: unknown }): void {
  const { name } = planned;
  const advice =
    'Undo the change, or plan a new job under another name. A new job sends all its rows, including those that are already done in the existing job.';
  const difference = differenceOf(planned, given);
  if (difference) throw new JobsError(`The job ${name} exists. ${difference}. ${advice}`);
  if (planned.checksum !== given.checksum) {
    throw new JobsError(
      `The source of the job ${name} has changed since it was planned. ${advice} To repair rejected and invalid rows, write them to a separate file: carillon-jobs problems ${name} --rows <file>.`,
    );
  }
  if (planned.account !== given.account)
    throw new JobsError(`The job ${name} is for the account ${planned.account}. ${advice}`);
  if (planned.service !== given.service) {
    throw new JobsError(
      `The job ${name} was planned for ${planned.service}, but this program calls ${given.service}. Set CARILLON_BASE_URL to ${planned.service}, or plan a new job under another name.`,
    );
  }
  const options = differentOptions(planned.options, toStorable(given.options ?? null));
  if (options !== undefined)
    throw new JobsError(`The job ${name} was planned with different options${options}. ${advice}`);
}

/**
 * Returns the names of the options that differ, or `undefined`. Ignores the path of a file, because its checksum identifies the file.
 */
function differentOptions(planned: unknown, given: unknown): string | undefined {
  if (isDeepStrictEqual(planned, given)) return undefined;
  if (typeof planned !== 'object' || typeof given !== 'object' || planned === null || given === null) return '';
  const names = [...new Set([...Object.keys(planned), ...Object.keys(given)])].filter(
    (name) => name !== 'file' && !isDeepStrictEqual(Reflect.get(planned, name), Reflect.get(given, name)),
  );
  return names.length === 0 ? undefined : `: ${names.join(', ')}`;
}
