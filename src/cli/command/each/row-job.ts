import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCarillonError } from 'carillon';
import {
  defineJob,
  type Found,
  findMarked,
  foundBy,
  type JobDefinition,
  type JobRowDetails,
  type JobStatus,
  type JobStep,
  type Jobs,
  LookupUnclearError,
  openJobs,
  RowRefusedError,
  type StepContext,
} from 'carillon-jobs';
import { UsageError } from '../../../shared/command-line.ts';
import { defaultProfile } from '../../../shared/credentials.ts';
import { isRecord } from '../../../shared/is-record.ts';
import { callMethod, listMethod } from '../../catalogue/call.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Connection } from '../../catalogue/connect.ts';
import type { Method } from '../../catalogue/methods.ts';
import { concernsRow } from '../passing.ts';
import { searchOf, withMarker } from './marker.ts';
import type { RowList } from './row-list.ts';
import type { EachRow } from './rows.ts';

/** Milliseconds between two looks at the job, and for which no row may end beyond the deadline of a request. Changed only by tests. */
export const patience = { look: 1_000, silence: 30_000 };

/** Field of the stored values of a row that identifies the parameters that it shared with the others. */
const sharedBy = 'carillon:shared';

/** The job of a file of rows, of one step. Opens it, plans the rows, sends them, and shows what became of them. */
export class RowJob {
  readonly name: string;
  /** The error of the last request, if it concerns all rows. */
  failure: unknown;
  readonly #method: Method;
  readonly #fixed: Params;
  readonly #shared: string;
  readonly #definition: JobDefinition<Params>;
  /** Keys of deletions that are sent again. The first request may have deleted the record. */
  readonly #repeated = new Set<string>();
  #jobs: Jobs | undefined;
  #isPlanned: boolean | undefined;

  /** @param file - names the file in a folder with the jobs of several ones */
  private constructor(method: Method, { baseUrl, profile, clientOptions }: Connection, fixed: Params, file: string) {
    this.#method = method;
    this.#fixed = fixed;
    this.#shared = hashOf(JSON.stringify(fixed));
    const address = baseUrl.replace(/^https?:\/\//, '').replace(/\/+$/, '');
    const account = profile === defaultProfile ? '' : profile;
    this.name = [`${method.name}@${address}`, account, file].filter(Boolean).join(':');
    this.#definition = define({
      // A worker takes all jobs of a definition, so each job has its own.
      name: `${method.name.replaceAll('.', '-')}-${hashOf(this.name).slice(0, 8)}`,
      version: 1,
      deadline: clientOptions.timeout,
      source: () => ({ checksum: async () => this.name, rows: () => [] }),
      steps: [this.#step()],
    });
  }

  static async open(
    method: Method,
    connection: Connection,
    fixed: Params,
    { folder, file, warn }: { folder: string; file: string; warn: (message: string) => void },
  ): Promise<RowJob> {
    const job = new RowJob(method, connection, fixed, file);
    job.#jobs = await openJobs({
      definitions: [job.#definition],
      client: connection.clientOptions,
      account: (connection.profile ?? defaultProfile).replaceAll('.', '-').slice(0, 60),
      folder,
      logger: { warn },
    });
    return job;
  }

  /** What the job knows of some rows, by their keys. Nothing before its first plan. */
  async rows(page: readonly EachRow[]): Promise<Map<string, JobRowDetails>> {
    this.#isPlanned ??=
      !(await this.#opened.isNew()) && (await this.#opened.list()).some(({ name }) => name === this.name);
    if (!this.#isPlanned) return new Map();
    const found = await this.#opened.rows(
      this.name,
      page.map(({ key }) => key),
    );
    return new Map(found.map((row) => [row.key, row]));
  }

  /** Records what a person found out about an unknown row. */
  async decide(key: string, isDone: boolean): Promise<void> {
    const decision = isDone ? ({ outcome: 'done', result: 'done' } as const) : ({ outcome: 'not done' } as const);
    await this.#opened.decide(this.name, key, decision);
  }

  /** Gives the job the rows of a file that can be sent, and no others that are not sent yet. */
  async plan(list: RowList): Promise<JobStatus> {
    const shared = this.#shared;
    function* rows() {
      for (const page of list.pages())
        for (const row of page)
          if (row.problem === undefined)
            yield { key: row.key, line: row.line, values: { ...list.ownParams(row), [sharedBy]: shared } };
    }
    const source = () => ({ checksum: async () => this.name, rows });
    const planned = await this.#opened.plan(
      { ...this.#definition, source },
      { name: this.name, options: {}, isUpdate: true },
    );
    this.#isPlanned = true;
    return planned.state === 'paused' ? this.#opened.resume(this.name) : planned;
  }

  /**
   * Sends the rows until all have ended, every one would fail, or none ends any more.
   *
   * @returns why some are left, if that is known
   */
  async work(
    parallel: number,
    signal: AbortSignal,
    onStatus: (status: JobStatus) => void,
  ): Promise<string | undefined> {
    const [stop, ended] = [new AbortController(), new AbortController()];
    const working = this.#opened
      .work({ until: this.name, concurrency: parallel, signal: AbortSignal.any([signal, stop.signal]) })
      .finally(() => ended.abort());
    let [open, since] = [-1, 0];
    let reason: string | undefined;
    try {
      for (let wait = patience.look; ; ) {
        const waiting = sleep(wait, undefined, { signal: ended.signal }).catch(() => undefined);
        await Promise.race([working, waiting]);
        const isEnded = ended.signal.aborted;
        const start = performance.now();
        const status = await this.#opened.status(this.name);
        if (isEnded) return reason ?? this.#reasonOf(status);
        onStatus(status);
        const now = status.rows.planned + status.rows.sent;
        if (now !== open) [open, since] = [now, start];
        if (start - since > status.deadline + patience.silence) {
          reason ??= `No row has ended for ${Math.round((start - since) / 1_000)} seconds, so the run stops.`;
          stop.abort();
        }
        // Counting many rows takes time, in which none is sent.
        wait = Math.max(patience.look, 20 * (performance.now() - start));
      }
    } finally {
      stop.abort();
      await working.catch(() => undefined);
    }
  }

  #reasonOf({ state, reason }: JobStatus): string | undefined {
    return state === 'paused' || state === 'cancelled' ? (reason ?? `The job ${this.name} is ${state}.`) : undefined;
  }

  async close(): Promise<void> {
    await this.#jobs?.close();
  }

  get #opened(): Jobs {
    if (!this.#jobs) throw new Error('The job is not open');
    return this.#jobs;
  }

  #step(): JobStep<Params> {
    const { name, method, effect } = this.#method;
    const isIdempotent = effect !== 'send' && (method === 'PUT' || method === 'DELETE');
    const search = searchOf(this.#method);
    return {
      name,
      send: (values, context) => this.#send(values, context),
      ...(isIdempotent && method === 'PUT' && { repeatable: true }),
      ...(isIdempotent && method === 'DELETE' && { find: async (_, { key }) => this.#repeat(key) }),
      ...(search && { find: (values, context) => this.#find(values, context) }),
    };
  }

  async #send(values: Params, { api, key, marker, signal }: StepContext): Promise<number | string> {
    const { [sharedBy]: shared, ...own } = values;
    if (shared !== this.#shared)
      throw new RowRefusedError('an earlier run with other values for all rows has planned it; run the command again');
    const params = withMarker(this.#method, { ...this.#fixed, ...own }, marker);
    try {
      const reply = await callMethod(api, this.#method.name, params, { signal });
      this.failure = undefined;
      const id = isRecord(reply) ? reply.id : undefined;
      return typeof id === 'number' || (typeof id === 'string' && id !== '') ? id : 'done';
    } catch (error) {
      if (this.#repeated.has(key) && isCarillonError(error, 'NotFoundError')) return 'done';
      if (isCarillonError(error) && !concernsRow(error)) this.failure = error;
      throw error;
    }
  }

  #repeat(key: string): Found {
    this.#repeated.add(key);
    return foundBy(undefined);
  }

  /** Looks for the record that a lost request created. */
  async #find(values: Params, { api, marker, signal }: StepContext): Promise<Found> {
    const { field = '', list = '', by = [] } = searchOf(this.#method) ?? {};
    const params: Params = { ...this.#fixed, ...values };
    const search = Object.fromEntries(by.filter((name) => params[name]).map((name) => [name, params[name]]));
    if (Object.keys(search).length === 0) throw new LookupUnclearError('it has no value to search by');
    const own = params[field];
    const found = await findMarked(
      recordsOf(listMethod(api, list, search, { signal })),
      typeof own === 'string' ? own : marker,
      (record) => record.fields[field],
    );
    // An earlier record may have the row's own value.
    if (found !== undefined && own !== undefined) throw new LookupUnclearError(`record ${found} has its ${field}`);
    return foundBy(found);
  }
}

async function* recordsOf(items: AsyncIterable<unknown>) {
  for await (const item of items) {
    if (isRecord(item) && typeof item.id === 'number') yield { id: item.id, fields: item };
  }
}

/** @throws `UsageError` if the time limit of the requests is too short */
function define(definition: JobDefinition<Params>): JobDefinition<Params> {
  try {
    return defineJob(definition);
  } catch (cause) {
    throw new UsageError(`--timeout: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
