import { ConfigError, createClient } from 'carillon';
import { cancelJob, changeState, forgetRows, removeJob, requeue, stopJob } from './change-job.ts';
import { openDatabase } from './database.ts';
import { explain, isTemporary, rethrow } from './explain.ts';
import { JobsError } from './jobs-error.ts';
import { addressOf } from './outage.ts';
import { planJob } from './plan.ts';
import { Queue } from './queue.ts';
import { findJob, readProblems, readResults, readStatus } from './read-jobs.ts';
import { decideRow, repairRows } from './repair.ts';
import { defaultDeadline } from './station.ts';
import type { JobStatus, Jobs, JobsOptions } from './types.ts';
import { runWorker } from './worker.ts';

/**
 * Opens the jobs of a database, and creates its tables at the first time. Any number of programs on any number of machines can do so
 * at once.
 *
 * @param options - database, definitions and options of the client
 * @returns the jobs
 * @throws `JobsError` if Node is older than 22.12, or if the database cannot be used: the message says what to do;
 * `ConfigError` for an option of the client that cannot work
 * @example
 * ```ts
 * import { defineJob, openJobs } from 'carillon-jobs';
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
 *       find: async ({ name }, { api, signal }) => (await api.crm.tags.list({}, { signal })).find((tag) => tag.name === name)?.id,
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
  const { definitions, client, account = 'default', logger = console } = options;
  const names = definitions.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new JobsError('Two definitions have the same name.');
  if (!/^[\w-]{1,60}$/.test(account))
    throw new JobsError(`"${account}" is not a name of an account: use letters, digits, - and _`);
  const mine = names.map((definition) => ({ account, definition }));
  // Options that cannot work are reported before anything is planned.
  const api = createClient(client);
  // Jobs run without a page to resolve a path on.
  if (client.baseUrl.startsWith('/'))
    throw new ConfigError(
      'baseUrl must be an address such as https://api.example.com; a path works in a page, not on a server',
    );
  const db = await openDatabase(options);
  let queue: Promise<Queue> | undefined;
  let closed: Promise<void> | undefined;
  let lastError = Number.NEGATIVE_INFINITY;
  /** The queue tries again each second: an outage of the database is one line. */
  const onQueueError = (error: unknown): void => {
    const isNew = Date.now() - lastError > 60_000;
    if (isTemporary(error)) lastError = Date.now();
    if (isNew || !isTemporary(error)) logger.warn(`carillon: the queue: ${explain(error).message}`);
  };
  // Only what uses the queue starts it.
  const openQueue = async (): Promise<Queue> => {
    queue ??= Queue.open(db, { onError: onQueueError });
    return queue.catch((error: unknown) => {
      queue = undefined;
      throw explain(error);
    });
  };
  const deadlineOf = (definition: string): number =>
    definitions.find(({ name }) => name === definition)?.deadline ?? defaultDeadline;
  const statusOf = async (name: string): Promise<JobStatus> => {
    const [status] = await readStatus(db, deadlineOf, name);
    if (!status) throw new JobsError(`There is no job ${name}.`);
    return status;
  };
  const fill = async (name: string): Promise<void> => {
    const { id, definition, account } = await findJob(db, name);
    await requeue(db, await openQueue(), [{ account, definition }], id);
  };
  /** Runs what changes a job, and returns its status then. */
  const change = async (name: string, run: () => Promise<unknown>): Promise<JobStatus> => {
    try {
      await run();
      return await statusOf(name);
    } catch (error) {
      throw explain(error);
    }
  };

  return {
    plan: async (job, given) => {
      const started = await openQueue();
      const name = await planJob(
        { db, queue: started, account, service: addressOf(client.baseUrl), api },
        job,
        given,
      ).catch(rethrowSource);
      return statusOf(name).catch(rethrow);
    },
    work: async (given = {}) =>
      runWorker(
        {
          db,
          queue: await openQueue(),
          options: { ...options, logger },
          account,
          isOver: async (name) => ['finished', 'paused', 'cancelled'].includes((await findJob(db, name)).state),
          stop: async (id, reason) => {
            logger.warn(`carillon: a job was paused: ${reason}`);
            await stopJob(db, id, reason);
          },
          requeue: async (id) => requeue(db, await openQueue(), mine, id),
        },
        given,
      ),
    status: (name) => statusOf(name).catch(rethrow),
    list: () => readStatus(db, deadlineOf).catch(rethrow),
    pause: (name) => change(name, () => changeState(db, name, ['running'], 'paused')),
    resume: (name) =>
      change(name, async () => {
        await changeState(db, name, ['paused'], 'running');
        await fill(name);
      }),
    cancel: (name) => change(name, () => cancelJob(db, name)),
    problems: (name) => readProblems(db, name),
    results: (name) => readResults(db, name),
    async repair(name, source) {
      const count = await repairRows(db, name, source).catch(rethrowSource);
      await fill(name).catch(rethrow);
      return count;
    },
    async decide(name, key, decision) {
      await decideRow(db, name, key, decision).catch(rethrow);
      await fill(name).catch(rethrow);
    },
    forget: (name, key) => forgetRows(db, name, key).catch(rethrow),
    remove: (name) => removeJob(db, name).catch(rethrow),
    async close() {
      closed ??= (async () => {
        await (await queue)?.close();
        await db.pool.end();
      })();
      await closed;
    },
  };
}

/** An error of the source stays as it is: only the database's errors have a SQLSTATE. */
function rethrowSource(error: unknown): never {
  if (error instanceof Error && 'code' in error) throw explain(error);
  throw error;
}
