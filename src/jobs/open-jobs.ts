import { ConfigError, createClient } from 'carillon';
import { explainBaseUrl } from '../shared/base-url.ts';
import { unknownName } from '../shared/unknown-name.ts';
import { JobsError } from './jobs-error.ts';
import { announce } from './journal/active-jobs.ts';
import {
  cancelJob,
  changeSettings,
  decideRow,
  forgetRows,
  type Opened,
  pauseJob,
  removeJob,
  repairRows,
  stopJob,
} from './journal/change-job.ts';
import { checkTables, keepPlace, migrate, openDatabase } from './journal/database.ts';
import { explain, isPassing, rethrow } from './store/explain.ts';
import {
  findJob,
  isOpenChunk,
  readLeft,
  readOpenChunks,
  readProblems,
  readResults,
  readStatus,
  readWorkers,
} from './journal/read-jobs.ts';
import { readMetrics } from './journal/read-metrics.ts';
import { resumeJob } from './journal/resume-job.ts';
import { retryRows } from './journal/retry-rows.ts';
import { showRow } from './journal/show-row.ts';
import { fingerprintOf, queueOf } from './plan/fingerprint.ts';
import { planJob } from './plan/plan-job.ts';
import type { JobStatus, Jobs, JobsOptions, WorkOptions } from './types.ts';
import { intervals } from './work/intervals.ts';
import { refuseOther } from './work/known-job.ts';
import { addressOf } from './work/outage.ts';
import { Queue, queueOfJob } from './work/queue.ts';
import { Worker } from './work/worker.ts';

/** Names of the options. The type requires all of them. */
const optionNames = Object.keys({
  database: true,
  definitions: true,
  client: true,
  account: true,
  schema: true,
  folder: true,
  now: true,
  logger: true,
} satisfies Record<keyof JobsOptions, true>);

/**
 * Opens the jobs of a database. `plan` and `work` create the tables on first use. Any number of programs on any number of
 * machines can use the same database.
 *
 * @param options - database, definitions and options of the client
 * @returns the jobs
 * @throws `JobsError` that says what to do, if Node is older than 22.13 or the database cannot be used; `ConfigError` if an
 * option of the client is invalid
 * @example
 * ```ts
 * import { defineJob, foundBy, openJobs } from 'carillon-jobs';
 *
 * const tags = defineJob({
 *   name: 'tags',
 *   version: 1,
 *   source: () => ({
 *     checksum: async () => 'v1',
 *     rows: () => ['VIP', 'Partner'].map((name, index) => ({ key: name, line: index + 1, values: { name } })),
 *   }),
 *   steps: [
 *     {
 *       name: 'tag',
 *       send: async ({ name }, { api, signal }) => (await api.crm.tags.create({ name }, { signal })).id,
 *       find: async ({ name }, { api, signal }) =>
 *         foundBy((await api.crm.tags.list({}, { signal })).find((tag) => tag.name === name)?.id),
 *     },
 *   ],
 * });
 * const jobs = await openJobs({
 *   database: 'postgres://localhost/jobs',
 *   definitions: [tags],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * await jobs.plan(tags, { options: {} });
 * await jobs.work({ until: 'tags' });
 * console.log(await jobs.status('tags'));
 * await jobs.close();
 * ```
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const unknown = unknownName(Object.keys(options), optionNames, { one: 'option ', all: 'options' });
  if (unknown !== undefined) throw new JobsError(`T${unknown.slice(1)}.`);
  const { definitions, client, account = 'default', logger = console } = options;
  const names = definitions.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new JobsError('Two definitions have the same name.');
  if (!/^[\w-]{1,60}$/.test(account))
    throw new JobsError(`"${account}" is not a name of an account: use letters, digits, - and _`);
  // Report invalid options before planning.
  const api = createClient(client);
  // Jobs have no page whose origin could resolve a path.
  if (client.baseUrl.startsWith('/')) throw new ConfigError(explainBaseUrl(client.baseUrl));
  const target = { account, service: addressOf(client.baseUrl) };
  const queues = definitions.map((definition) => queueOf(target, fingerprintOf(definition)));
  const db = await openDatabase(options);
  let migrated: Promise<void> | undefined;
  let checked: Promise<void> | undefined;
  let queue: Promise<Queue> | undefined;
  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  let closed: Promise<void> | undefined;
  let lastError = Number.NEGATIVE_INFINITY;
  /** The queue retries every second. Log an outage of the database only once per minute. */
  const onQueueError = (error: unknown): void => {
    const isNew = performance.now() - lastError > 60_000;
    if (isPassing(error)) lastError = performance.now();
    if (isNew || !isPassing(error)) logger.warn(`carillon: the queue: ${explain(error).message}`);
  };
  /** Creates the tables once. Retries on the next call after a failure. */
  const ensure = async (): Promise<void> => {
    migrated ??= db.checkServer().then(() => migrate(db), rethrow);
    await migrated.catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
  };
  const check = async (): Promise<void> => {
    checked ??= migrated ?? db.checkServer().then(() => checkTables(db), rethrow);
    await checked.catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
  };
  // Start the queue on first use.
  const openQueue = async (mayMigrate: boolean): Promise<Queue> => {
    queue ??= mayMigrate
      ? keepPlace(db, () => Queue.open(db, { onError: onQueueError, mayMigrate }))
      : Queue.open(db, { onError: onQueueError, mayMigrate });
    return queue.catch((error: unknown) => {
      queue = undefined;
      throw explain(error);
    });
  };
  const statusOf = async (name: string): Promise<JobStatus> => {
    const [status] = await readStatus(db, name);
    if (!status) throw new JobsError(`There is no job ${name}.`);
    return status;
  };
  /** Makes the queue deliver chunks with rows to send again immediately. */
  const wake = async (name: string, { job, chunks }: Opened): Promise<void> => {
    const { queue: of } = await findJob(db, name);
    const started = await openQueue(false);
    await started.wake(
      queueOfJob({ queue: of, id: job }),
      chunks.map((chunk) => ({ job, chunk })),
    );
    await announce(db, job);
  };
  /** Adds messages for the chunks that have pending work. */
  const fill = async (of: readonly string[], job?: string): Promise<void> => {
    const started = await openQueue(false);
    for (const { queue: name, id, chunks } of await readOpenChunks(db, of, job))
      await started.add(queueOfJob({ queue: name, id }), chunks);
  };
  /** Runs a function that reads or changes jobs. */
  const run = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      await check();
      return await act();
    } catch (error) {
      throw explain(error);
    }
  };
  async function* rowsOf<Row>(read: () => AsyncGenerator<Row>): AsyncGenerator<Row> {
    await run(async () => undefined);
    yield* read();
  }

  const work = async (given: WorkOptions): Promise<void> => {
    await ensure();
    const started = await openQueue(true);
    const { until } = given;
    if (until !== undefined) await refuseOther(db, target, definitions, queues, until).catch(rethrow);
    const parts = {
      db,
      queue: started,
      options: { ...options, logger },
      api,
      target,
      queues,
      isOver: async (name: string) => ['finished', 'paused', 'cancelled'].includes((await findJob(db, name)).state),
      async stop(id: string, reason: string) {
        const paused = await stopJob(db, id, reason);
        // Other rows in flight fail in the same way.
        if (paused !== undefined) logger.warn(`carillon: ${paused}: paused: ${reason}`);
      },
      fill: () => fill(queues),
      isOpen: (chunk: { job: string; chunk: number }) => isOpenChunk(db, chunk),
    };
    const signal = AbortSignal.any([closing.signal, ...(given.signal ? [given.signal] : [])]);
    await Worker.run(parts, { ...given, signal });
  };
  return {
    async plan(job, given) {
      await ensure();
      const started = await openQueue(true);
      const { name, kept } = await planJob({ db, queue: started, target, api }, job, given).catch(rethrowSource);
      for (const sentence of kept) logger.warn(`carillon: ${sentence}`);
      const { id } = await findJob(db, name).catch(rethrow);
      await announce(db, id).catch(rethrow);
      return statusOf(name).catch(rethrow);
    },
    async work(given = {}) {
      const working = work(given);
      workers.add(working);
      try {
        await working;
      } finally {
        workers.delete(working);
      }
    },
    migrate: async () => {
      await ensure();
      await openQueue(true);
    },
    status: (name) => run(() => statusOf(name)),
    list: () => run(() => readStatus(db)),
    metrics: () => run(() => readMetrics(db)),
    workers: () => run(() => readWorkers(db)),
    pause: (name) =>
      run(async () => {
        await pauseJob(db, name);
        return statusOf(name);
      }),
    resume: (name, answer) =>
      run(async () => {
        await resumeJob(db, name, answer ?? {}, {
          back: intervals.back,
          onWait: (milliseconds) =>
            logger.warn(
              `carillon: ${name}: waits ${Math.ceil(milliseconds / 1_000)} s, in which workers that still run connect again with their files`,
            ),
        });
        const { id, queue: of } = await findJob(db, name);
        await fill([of], id);
        await announce(db, id);
        return statusOf(name);
      }),
    set: (name, settings) =>
      run(async () => {
        await changeSettings(db, name, settings);
        return statusOf(name);
      }),
    cancel: (name) =>
      run(async () => {
        await cancelJob(db, name);
        return statusOf(name);
      }),
    problems: (name) => rowsOf(() => readProblems(db, name)),
    results: (name) => rowsOf(() => readResults(db, name)),
    left: (name) => rowsOf(() => readLeft(db, name)),
    show: (name, row) => run(() => showRow(db, name, row)),
    retry: (name, choice) =>
      run(async () => {
        const opened = await retryRows(db, name, choice);
        await wake(name, opened);
        return opened.rows;
      }),
    async repair(name, source) {
      await check();
      const opened = await repairRows(db, name, source).catch(rethrowSource);
      await wake(name, opened).catch(rethrow);
      return opened.rows;
    },
    decide: (name, key, decision) => run(async () => wake(name, await decideRow(db, name, key, decision))),
    forget: (name, key) => run(() => forgetRows(db, name, key)),
    remove: (name) =>
      run(async () => {
        const { id, queue: of } = await findJob(db, name);
        await removeJob(db, name);
        const started = await openQueue(false);
        await started.remove(queueOfJob({ queue: of, id }));
      }),
    async close() {
      closed ??= (async () => {
        closing.abort();
        await Promise.allSettled(workers);
        const started = await queue?.catch(() => undefined);
        await Promise.all([started?.close(), db.close()]);
      })();
      await closed;
    },
  };
}

/** Explains errors of the database, and rethrows errors of the source unchanged, which have no code. */
function rethrowSource(error: unknown): never {
  if (error instanceof Error && 'code' in error) throw explain(error);
  throw error;
}
