import { setTimeout as sleep } from 'node:timers/promises';
import { isCarillonError } from 'carillon';
import { defineJob, type JobDefinition, type JobRowDetails, type JobStatus, openJobs } from 'carillon-jobs';
import { UsageError } from '../../../shared/command-line.ts';
import { defaultProfile } from '../../../shared/credentials.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Params } from '../../catalogue/check-names.ts';
import type { Connection } from '../../catalogue/connect.ts';
import type { Method } from '../../catalogue/methods.ts';
import { concernsRow } from '../is-retryable.ts';
import type { RowList } from './row-list.ts';
import { createStep, hashOf, sharedBy } from './row-step.ts';
import type { EachRow } from './rows.ts';

/**
 * `look` is the number of milliseconds between two status checks of a job. The run stops if no row finishes within the request
 * deadline plus `silence` milliseconds. Only tests change these values.
 */
export const patience = { look: 1_000, silence: 30_000 };

/** The job that sends the rows of a file. Its only step calls one method, at one address, with one profile. */
export interface FileJob {
  /** Details of rows by key; empty before the job is planned. */
  rows(page: readonly EachRow[]): Promise<ReadonlyMap<string, JobRowDetails>>;
  /** Records a person's decision about a row whose outcome is unknown. */
  decide(key: string, isDone: boolean): Promise<void>;
  /** Plans the rows of a file that are still to be sent. The job then has no other unsent rows. */
  plan(): Promise<JobStatus>;
  /**
   * Sends the rows until all rows have finished, every row would fail, or no row finishes in time. Resolves to the reason if
   * rows are left.
   */
  work(parallel: number, signal: AbortSignal, onStatus: (status: JobStatus) => void): Promise<string | undefined>;
  /** Returns the error of the last request, if the error affects all rows. */
  failure(): unknown;
  close(): Promise<void>;
}

/**
 * Opens the job of a file. The first call to `plan` creates the job.
 *
 * @param file - identifies the file if the folder contains jobs for several files
 */
export async function openFileJob(
  method: Method,
  { baseUrl, profile = defaultProfile, clientOptions }: Connection,
  list: RowList,
  { folder, file, warn }: { folder: string; file: string; warn: (message: string) => void },
): Promise<FileJob> {
  const address = baseUrl.replace(/^https?:\/\//, '').replace(/\/+$/, '');
  const account = profile === defaultProfile ? '' : profile;
  const name = [`${method.name}@${address}`, account, file].filter(Boolean).join(':');
  let failure: unknown;
  let isPlanned: boolean | undefined;
  const onResponse = (error: unknown): void => {
    if (error === undefined || (isCarillonError(error) && !concernsRow(error))) failure = error;
  };
  const definition = define({
    // A worker takes all jobs of a definition, so each job has its own definition.
    name: `${method.name.replaceAll('.', '-')}-${hashOf(name).slice(0, 8)}`,
    version: 1,
    deadline: clientOptions.timeout,
    source: () => ({ checksum: async () => name, rows: () => rowsToPlan(list) }),
    steps: [createStep(method, list.fixed, onResponse)],
  });
  const jobs = await openJobs({
    definitions: [definition],
    client: clientOptions,
    account: profile.replaceAll('.', '-').slice(0, 60),
    folder,
    logger: { warn },
  });
  return {
    async rows(page) {
      isPlanned ??= !(await jobs.isNew()) && (await jobs.list()).some((job) => job.name === name);
      const keys = page.map(({ key }) => key);
      return new Map(isPlanned ? (await jobs.rows(name, keys)).map((row) => [row.key, row]) : []);
    },
    decide: (key, isDone) =>
      jobs.decide(name, key, isDone ? { outcome: 'done', result: 'done' } : { outcome: 'not done' }),
    async plan() {
      const planned = await jobs.plan(definition, { name, options: {}, isUpdate: true });
      isPlanned = true;
      return planned.state === 'paused' ? jobs.resume(name) : planned;
    },
    async work(concurrency, signal, onStatus) {
      const stop = new AbortController();
      const ended = new AbortController();
      const working = jobs
        .work({ until: name, concurrency, signal: AbortSignal.any([signal, stop.signal]) })
        .finally(() => ended.abort());
      let open = -1;
      let since = 0;
      try {
        for (let wait = patience.look; ; ) {
          await Promise.race([working, sleep(wait, undefined, { signal: ended.signal }).catch(() => undefined)]);
          const isEnded = ended.signal.aborted;
          const start = performance.now();
          const status = await jobs.status(name);
          if (isEnded) return reasonOf(status, stop.signal.aborted);
          onStatus(status);
          const now = status.rows.planned + status.rows.sent;
          if (now !== open) since = start;
          open = now;
          if (start - since > status.deadline + patience.silence) stop.abort();
          // The job sends no requests while it counts rows. After a slow count, the next count therefore starts later.
          wait = Math.max(patience.look, 20 * (performance.now() - start));
        }
      } finally {
        stop.abort();
        await working.catch(() => undefined);
      }
    },
    failure: () => failure,
    close: () => jobs.close(),
  };
}

function* rowsToPlan(list: RowList) {
  const shared = hashOf(JSON.stringify(list.fixed));
  for (const { key, line, params } of list.rows('open'))
    yield { key, line, values: { ...list.ownParams(params), [sharedBy]: shared } };
}

function reasonOf({ state, reason, name, deadline }: JobStatus, isStopped: boolean): string | undefined {
  if (state === 'paused' || state === 'cancelled') return reason ?? `The job ${name} is ${state}.`;
  if (state === 'finished' || !isStopped) return undefined;
  return `No row has finished for ${Math.round((deadline + patience.silence) / 1_000)} seconds, so the run stops.`;
}

/** @throws `UsageError` if the request deadline is too short */
function define(definition: JobDefinition<Params>): JobDefinition<Params> {
  try {
    return defineJob(definition);
  } catch (cause) {
    throw new UsageError(`--timeout: ${messageOf(cause)}.`, { cause });
  }
}
