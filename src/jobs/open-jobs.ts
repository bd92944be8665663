import { ConfigError, createClient } from 'carillon';
import { explainBaseUrl } from '../shared/base-url.ts';
import { unknownName } from '../shared/did-you-mean.ts';
import { changeSettings, decideRow, forgetJob, removeJob, retryRows, stopJob } from './control/change-job.ts';
import { readProblems, readResults, readUnsent } from './control/read-rows.ts';
import { findJob, readList, readStatus, readWorkers } from './control/read-status.ts';
import { repairRows } from './control/repair-rows.ts';
import { resumeJob } from './control/resume-job.ts';
import { findRows, showRows } from './control/show-rows.ts';
import { JobsError } from './jobs-error.ts';
import { fingerprintOf, queueOf } from './plan/fingerprint.ts';
import { planJob } from './plan/plan-job.ts';
import { explain, rethrow } from './store/explain.ts';
import { defaultFolder, openStore } from './store/open-store.ts';
import type { JobStatus, Jobs, JobsOptions, WorkOptions } from './types.ts';
import { FolderMemory } from './work/folder-memory.ts';
import { explainOther } from './work/known-job.ts';
import { serviceOf } from './work/outage.ts';
import { Worker } from './work/worker.ts';

/** Names of the options. The type ensures that the list is complete. */
const optionNames = Object.keys({
  database: true,
  definitions: true,
  client: true,
  account: true,
  folder: true,
  logger: true,
} satisfies Record<keyof JobsOptions, true>);

/**
 * Opens the jobs in a folder on this machine or, with `database`, in Postgres. Any number of processes can open the folder, and any
 * number of machines the database. `plan` and `work` create the file or the tables on first use.
 *
 * @param options - job definitions, client options, and the location of the jobs
 * @returns the jobs
 * @throws `JobsError` if Node is older than 22.13 or the database is set but empty; `ConfigError` if a client option is invalid
 * @example
 * ```ts
 * import { importContacts, openJobs } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
 *   definitions: [importContacts],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * await jobs.plan(importContacts, { name: 'people', options: { file: 'people.csv', responsibleId: 77 } });
 * await jobs.work({ until: 'people' });
 * console.log(await jobs.status('people'));
 * await jobs.close();
 * ```
 */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const unknown = unknownName(Object.keys(options), optionNames, { one: 'option ', all: 'options' });
  if (unknown !== undefined) throw new JobsError(`T${unknown.slice(1)}.`);
  const { definitions, client, account = 'default', folder = defaultFolder, logger = console } = options;
  const names = definitions.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new JobsError('Two definitions have the same name.');
  if (!/^[\w-]{1,60}$/.test(account))
    throw new JobsError(`"${account}" is not a valid account name: use letters, digits, - and _`);
  // Report invalid options before planning.
  const api = createClient(client);
  // Jobs do not run in a web page, so there is no origin to resolve a path.
  if (client.baseUrl.startsWith('/')) throw new ConfigError(explainBaseUrl(client.baseUrl));
  const target = { account, service: serviceOf(client.baseUrl) };
  const queues = definitions.map((definition) => queueOf(target, fingerprintOf(definition)));
  const store = await openStore(options);
  const closing = new AbortController();
  const workers = new Set<Promise<void>>();
  /** Functions that make the workers of this program check their jobs. */
  const notices = new Set<() => void>();
  const notify = (): void => {
    for (const notice of notices) notice();
  };
  let opened: Promise<FolderMemory> | undefined;
  let closed: Promise<void> | undefined;
  /** Opens the memory of the folder. After a failure, the next call retries. */
  const openMemory = async (): Promise<FolderMemory> => {
    opened ??= FolderMemory.open(folder);
    return opened.catch((error: unknown) => {
      opened = undefined;
      throw explain(error);
    });
  };
  const create = async (): Promise<FolderMemory> => {
    await store.create().catch(rethrow);
    return openMemory();
  };
  /** Runs a function that reads jobs. */
  const run = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      await store.check();
      return await act();
    } catch (error) {
      throw explain(error);
    }
  };
  /** Runs a function that changes jobs. Afterwards, the workers of this program check their jobs immediately. */
  const change = <Result>(act: () => Promise<Result>): Promise<Result> => run(act).finally(notify);
  const changed = async (name: string, act: () => Promise<void>): Promise<JobStatus> => {
    await change(act);
    return run(() => readStatus(store, name));
  };
  async function* rowsOf<Row>(read: () => AsyncGenerator<Row>): AsyncGenerator<Row> {
    await run(async () => undefined);
    yield* read();
  }

  const work = async (given: WorkOptions): Promise<void> => {
    const memory = await create();
    const { until } = given;
    const [job] = until === undefined ? [] : await store.jobs(until).catch(rethrow);
    const reason = job && explainOther(job, target, definitions);
    if (reason) throw new JobsError(reason);
    const signal = AbortSignal.any([closing.signal, ...(given.signal ? [given.signal] : [])]);
    const parts = { store, memory, folder, definitions, queues, api, notices, options: { client, logger } };
    await Worker.run(parts, { ...given, signal });
  };
  return {
    location: store.location,
    isNew: () => store.isNew().catch(rethrow),
    async plan(job, given) {
      const memory = await create();
      const name = await planJob({ store, memory, target, api }, job, given).catch(rethrowSource);
      notify();
      return readStatus(store, name).catch(rethrow);
    },
    work(given = {}) {
      const working = work(given).finally(() => workers.delete(working));
      workers.add(working);
      return working;
    },
    status: (name) => run(() => readStatus(store, name)),
    list: () => run(() => readList(store)),
    workers: () => run(() => readWorkers(store)),
    pause: (name) => changed(name, () => stopJob(store, name, 'paused')),
    resume: (name, answer) =>
      changed(name, async () => {
        const place = await resumeJob(store, name, answer ?? {});
        const job = await findJob(store, name);
        const memory = await openMemory();
        await memory.keep({ ...job, place, location: store.location });
      }),
    set: (name, settings) => changed(name, () => changeSettings(store, name, settings)),
    cancel: (name) => changed(name, () => stopJob(store, name, 'cancelled')),
    problems: (name) => rowsOf(() => readProblems(store, name)),
    results: (name) => rowsOf(() => readResults(store, name)),
    unsent: (name) => rowsOf(() => readUnsent(store, name)),
    show: (name, row) => run(() => showRows(store, name, row)),
    rows: (name, keys) => run(() => findRows(store, name, keys)),
    retry: (name, choice) => change(() => retryRows(store, name, choice)),
    async repair(name, source) {
      await store.check().catch(rethrow);
      const count = await repairRows(store, name, source).catch(rethrowSource);
      notify();
      return count;
    },
    decide: (name, key, decision) => change(() => decideRow(store, name, key, decision)),
    forget: (name, key) => run(() => forgetJob(store, name, key)),
    remove: (name) =>
      run(async () => {
        const seed = await removeJob(store, name);
        const memory = await openMemory();
        await memory.forget(seed);
      }),
    async close() {
      closed ??= (async () => {
        closing.abort();
        await Promise.allSettled(workers);
        await store.close();
        const memory = await opened?.catch(() => undefined);
        memory?.close();
      })();
      await closed;
    },
  };
}

/** Explains database errors. Rethrows errors from the source unchanged: they have no code, or the code of a file system error. */
function rethrowSource(error: unknown): never {
  const isOfFile = error instanceof Error && 'path' in error && 'syscall' in error && error.syscall !== 'connect';
  if (isOfFile) throw error;
  if (error instanceof Error && ('code' in error || error.name === 'DatabaseFileError')) throw explain(error);
  throw error;
}
