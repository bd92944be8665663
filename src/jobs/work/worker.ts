import type { Client } from 'carillon';
import { type FoundJob, readActiveJobs } from '../journal/active-jobs.ts';
import { type Database, within } from '../journal/database.ts';
import { explain, isAway, isPassing } from '../store/explain.ts';
import { endSilent } from '../journal/rows.ts';
import { silenceSeconds } from '../journal/sizes.ts';
import type { Target } from '../plan/fingerprint.ts';
import type { JobsOptions, WorkOptions } from '../types.ts';
import { Failures } from './failures.ts';
import { intervals } from './intervals.ts';
import { type KnownJob, readJob, readOthers } from './known-job.ts';
import { LateTruth } from './late-truth.ts';
import { hostOf } from './outage.ts';
import { processChunk } from './process-chunk.ts';
import { type Chunk, type Queue, queueOfJob, type Received } from './queue.ts';
import { Scheduler } from './scheduler.ts';
import { Station } from './station.ts';
import { pause } from './waiting.ts';

/** How long a row waits for its place in this worker before others may take it, in milliseconds. */
const maxHeld = 60_000;

/** How often a log line about the same outage is repeated at most, in milliseconds. */
const outageInterval = 60_000;

/** How long a stopping worker waits for the database after the deadline of its requests, in milliseconds. */
const stopTime = 1_500;

/** How long the worker waits for the file of attempts after it has given up on the database, in milliseconds. */
const fileTime = 500;

/** Dependencies of a worker. */
export interface WorkerParts {
  readonly db: Database;
  readonly queue: Queue;
  readonly options: JobsOptions;
  /** Client for reading lists. It retries. */
  readonly api: Client;
  readonly target: Target;
  /** Names of the queues of the definitions, in their order. */
  readonly queues: readonly string[];
  /** Whether the job of `until` has ended or is paused. */
  isOver(name: string): Promise<boolean>;
  /** Pauses a job with a reason. */
  stop(id: string, reason: string): Promise<void>;
  /** Adds the chunks that have pending work but no message. */
  fill(): Promise<void>;
  /** Whether a chunk has pending work. */
  isOpen(chunk: Chunk): Promise<boolean>;
}

/**
 * Works on chunks until the signal is aborted or the job is over. While the database is unreachable, it waits and sends no
 * requests.
 *
 * It is `working`, `away` (the database fails or its session has ended) or `stopping` (it finishes the requests in flight).
 */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #given: WorkOptions;
  readonly #station: Station;
  readonly #stop = new AbortController();
  readonly #truth: LateTruth;
  readonly #scheduler: Scheduler;
  readonly #concurrency: number;
  readonly #running = new Map<Received, Promise<void>>();
  /** Rows that this process holds. Needed because a chunk can be delivered twice. */
  readonly #held = new Set<string>();
  /** When quotas are available again, by job. */
  readonly #blocked = new Map<string, Map<string, number>>();
  /** By job. */
  readonly #failures = new Map<string, Failures>();
  /** The jobs of the last look, those with a higher priority first. */
  #found: readonly FoundJob[] = [];
  /** When to look at the jobs again, and when the queue of a job is asked again after it was empty, in the time of `performance.now()`. */
  #lookAt = 0;
  readonly #emptyUntil = new Map<string, number>();
  #idle: number = intervals.look;
  /** Jobs that a person has changed since the last look. */
  readonly #changed = new Set<string>();
  /** Jobs whose chunk is being read. */
  readonly #loading = new Set<string>();
  /** When the outage of a job was last logged. */
  readonly #outages = new Map<string, number>();
  /** Jobs whose start was reported. */
  readonly #begun = new Set<string>();
  readonly #told = new Set<string>();
  #state: 'working' | 'away' | 'stopping' = 'working';
  #wakeUp = (): void => undefined;
  #failure: unknown;
  /** Longest deadline of the jobs processed so far. */
  #deadline = 0;

  private constructor(parts: WorkerParts, given: WorkOptions, station: Station) {
    this.#parts = parts;
    this.#given = given;
    this.#station = station;
    this.#concurrency = given.concurrency ?? 10;
    this.#truth = new LateTruth(parts.db, parts.api, { signal: this.#stop.signal, stop: parts.stop });
    this.#scheduler = new Scheduler(
      this.#concurrency,
      (job) => station.limits.pace(job).catch(() => 1_000),
      () => this.#wakeUp(),
    );
  }

  /** Runs a worker to its end. */
  static async run(parts: WorkerParts, given: WorkOptions): Promise<void> {
    const { db, options, queues, queue } = parts;
    let notice = (_: string): void => undefined;
    const station = await Station.open({
      db,
      options,
      queues,
      onReopened: (chunks) => addTo(queue, db, chunks),
      onChange: (job) => notice(job),
    }).catch((error: unknown) => {
      throw explain(error);
    });
    const worker = new Worker(parts, given, station);
    notice = (job) => worker.#notice(job);
    await worker.#run();
    if (worker.#failure !== undefined) throw explain(worker.#failure);
  }

  async #run(): Promise<void> {
    const { signal } = this.#given;
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = () => {
        this.#state = 'stopping';
        this.#stop.abort();
        this.#scheduler.stop();
        resolve();
      };
    });
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    const beats = setInterval(() => void this.#beat(), intervals.life);
    const prunes = setInterval(() => void this.#station.prune().catch(() => undefined), intervals.prune);
    const others = setInterval(() => void this.#lookAtOthers(), intervals.others);
    try {
      if (this.#state === 'working') await this.#parts.fill();
      void this.#lookAtOthers();
      // A turn can wait for an unresponsive database, but stopping must not.
      while (this.#state !== 'stopping') await Promise.race([this.#turn(), stopped]);
    } catch (error) {
      this.#failure ??= error;
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
      clearInterval(others);
      clearInterval(prunes);
      await this.#finish();
      clearInterval(beats);
    }
  }

  /** One turn of the loop. Takes a chunk if there is capacity, or waits. */
  async #turn(): Promise<void> {
    try {
      if (this.#state === 'away' || !this.#station.session.isAlive) await this.#return();
      await this.#look();
      const received = await this.#receive();
      if (received) {
        this.#idle = intervals.look;
        // The program may have closed its connections meanwhile. pg-boss delivers the chunk again when its heartbeats stop.
        if (this.#isStopping())
          this.#running.set(
            received,
            this.#giveBack(received, 0, this.#parts.queue).catch(() => undefined),
          );
        else this.#start(received);
        return;
      }
      const { until } = this.#given;
      if (until !== undefined && !this.#worksOn(until) && (await this.#parts.isOver(until))) {
        // Reports the end of an outage.
        this.#lookAt = 0;
        await this.#look();
        this.#state = 'stopping';
        return;
      }
    } catch (error) {
      // Ignore the error, because the turn of a stopping worker is not awaited.
      if (this.#isStopping()) return;
      if (!isPassing(error)) throw error;
      this.#lose(error);
    }
    if (this.#isStopping()) return;
    this.#idle = this.#running.size > 0 ? intervals.look : Math.min(this.#idle * 2, intervals.idle);
    await Promise.race([pause(this.#idle, this.#stop.signal), this.#progress()]);
  }

  /** Looks at the jobs and their limits at once, because a person has changed one of them. */
  #notice(job: string): void {
    this.#changed.add(job);
    this.#lookAt = 0;
    this.#idle = intervals.look;
    this.#emptyUntil.clear();
    this.#wakeUp();
  }

  /** Reads the jobs that have rows, and their limits. */
  async #look(): Promise<void> {
    if (this.#lookAt > performance.now()) return;
    this.#lookAt = performance.now() + intervals.look;
    const { db, queues, options } = this.#parts;
    const changed = [...this.#changed];
    this.#changed.clear();
    const known = this.#scheduler.jobs;
    const found = await readActiveJobs(db, queues, [...known.keys()], options.now);
    for (const job of found) {
      const active = this.#scheduler.update(job.id, job);
      if (changed.includes(job.id)) {
        this.#blocked.delete(job.id);
        this.#scheduler.wake(active);
      }
      if (job.wait > 0) this.#scheduler.rest(active, this.#station.localWait(job.wait));
      this.#scheduler.dropOld(active, job.state === 'running' ? maxHeld : 0);
      this.#tellOutage(job);
    }
    const ids = new Set(found.filter(({ hasRows }) => hasRows).map(({ id }) => id));
    for (const received of this.#running.keys()) ids.add(received.job);
    for (const job of known.values()) {
      if (ids.has(job.id)) continue;
      this.#scheduler.remove(job);
      for (const map of [this.#failures, this.#blocked, this.#emptyUntil, this.#outages]) map.delete(job.id);
    }
    this.#found = found.filter(({ hasRows }) => hasRows);
    this.#scheduler.schedule();
  }

  /** Logs the beginning and the end of an outage. */
  #tellOutage({ id, name, state, outage }: FoundJob): void {
    const { logger } = this.#station;
    const told = this.#outages.get(id);
    if (outage && state === 'running') {
      if (told !== undefined && performance.now() - told < outageInterval) return;
      this.#outages.set(id, performance.now());
      const seconds = Math.max(1, Math.ceil((outage.nextTry.getTime() - Date.now()) / 1_000));
      const since = outage.since.toISOString();
      logger.warn(`carillon: ${name}: ${outage.reason} since ${since}. Next try in ${seconds} s.`);
    } else if (told !== undefined && state !== 'paused') {
      this.#outages.delete(id);
      logger.warn(`carillon: ${name}: the service at ${hostOf(this.#parts.options.client.baseUrl)} is back.`);
    }
  }

  /** Whether chunks of a job are being processed. */
  #worksOn(name: string): boolean {
    const id = this.#found.find((job) => job.name === name)?.id;
    return [...this.#running.keys()].some(({ job }) => job === id);
  }

  /** A function, so that the compiler does not narrow a state that changes while the loop waits. */
  #isStopping(): boolean {
    return this.#state === 'stopping';
  }

  /** Records that the database failed. Logs it once until the database is back. */
  #lose(error: unknown): void {
    if (this.#state === 'stopping') return;
    if (this.#state === 'working') {
      const reason = isAway(error) ? 'the connection to the database is lost.' : explain(error).message;
      this.#station.logger.warn(`carillon: ${reason} No requests are sent until the database is back.`);
    }
    this.#state = 'away';
  }

  /** Tries to resume work. Rejects while the database is unreachable. */
  async #return(): Promise<void> {
    if (!this.#station.session.isAlive) {
      this.#lose(new Error('Connection terminated'));
      await this.#station.reconnect();
    } else await this.#parts.db.pool.query('SELECT');
    if (this.#state !== 'away') return;
    this.#state = 'working';
    // Announcements may have been lost.
    for (const id of this.#scheduler.jobs.keys()) this.#notice(id);
    this.#station.logger.warn('carillon: the database is back.');
  }

  /** The jobs whose next chunk this worker can take, in the order in which it should. */
  #needing(): FoundJob[] {
    // Two chunks keep the rows in flight at their limit while the last rows of one wait for replies.
    const maxChunks = 2 + Math.ceil(this.#concurrency / 100);
    const now = performance.now();
    return this.#found.filter((job) => {
      const active = this.#scheduler.jobs.get(job.id);
      if (!active || active.wait > 0 || this.#loading.has(job.id) || (this.#emptyUntil.get(job.id) ?? 0) > now)
        return false;
      // The rows of a job with a higher priority are there in a moment.
      if (this.#found.some(({ id, priority }) => priority > job.priority && this.#loading.has(id))) return false;
      const chunks = [...this.#running.keys()].filter((received) => received.job === job.id).length;
      return chunks < maxChunks && this.#scheduler.needsRows(active);
    });
  }

  /** Resolves when a chunk can be taken, or has ended. */
  #progress(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#needing().length;
      const running = this.#running.size;
      this.#wakeUp = () => {
        if (this.#lookAt === 0 || this.#running.size < running || this.#needing().length > before) resolve();
      };
    });
  }

  async #receive(): Promise<Received | undefined> {
    for (const job of this.#needing()) {
      if (this.#isStopping()) return undefined;
      const received = await this.#parts.queue.receive(queueOfJob(job));
      if (received) return received;
      this.#emptyUntil.set(job.id, performance.now() + this.#idle);
    }
    return undefined;
  }

  #start(received: Received): void {
    this.#loading.add(received.job);
    const work = this.#process(received).catch((error: unknown) => {
      if (isPassing(error)) this.#lose(error);
      else {
        this.#failure ??= error;
        this.#state = 'stopping';
      }
    });
    this.#running.set(received, work);
    // Before its first mark and in the same session, so that a server that has the mark also knows which worker had the chunk.
    void this.#tellChunks().catch(() => undefined);
    void work.finally(() => {
      this.#running.delete(received);
      this.#loading.delete(received.job);
      this.#emptyUntil.delete(received.job);
      this.#wakeUp();
    });
  }

  async #process(received: Received): Promise<void> {
    const { db, options, queue } = this.#parts;
    let again: number | undefined = 1_000;
    try {
      const job = await readJob(db, received.job, options.definitions);
      again = job && (await this.#processOf(job, received.chunk));
      if (job && again === undefined) await this.#tellEnd(job);
      if (this.#stop.signal.aborted && again !== undefined) again = 0;
    } finally {
      await this.#giveBack(received, again, queue);
    }
  }

  async #processOf(job: KnownJob, chunk: number): Promise<number | undefined> {
    const { options } = this.#parts;
    const station = this.#station;
    this.#deadline = Math.max(this.#deadline, job.deadline);
    if (!this.#begun.has(job.id) && job.state === 'running') {
      this.#begun.add(job.id);
      this.#given.onJob?.(job.name, 'started');
    }
    const failures = this.#failures.get(job.id) ?? new Failures();
    this.#failures.set(job.id, failures);
    const blocked = this.#blocked.get(job.id) ?? new Map<string, number>();
    this.#blocked.set(job.id, blocked);
    return processChunk(
      {
        station,
        job,
        failures,
        blocked,
        scheduler: this.#scheduler,
        active: this.#scheduler.jobs.get(job.id) ?? this.#scheduler.update(job.id, job),
        host: hostOf(options.client.baseUrl),
        signal: this.#stop.signal,
        truth: this.#truth,
        held: this.#held,
        stop: (reason) => this.#parts.stop(job.id, reason),
        onLoaded: () => {
          this.#loading.delete(job.id);
          this.#wakeUp();
        },
      },
      chunk,
    );
  }

  /** Returns or ends a message. If that fails, pg-boss delivers it to another worker when its heartbeats stop. */
  async #giveBack(received: Received, again: number | undefined, queue: Queue): Promise<void> {
    try {
      if (again !== undefined) {
        await queue.giveBack(received, again / 1_000);
        return;
      }
      await queue.end(received);
      // Its rows may have been planned again, or the job may have been resumed, before the message ended.
      if (await this.#parts.isOpen(received)) await queue.add(received.queue, [received]);
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
  }

  /** Reports the end of a job once. */
  async #tellEnd({ id, name }: KnownJob): Promise<void> {
    const { db, options } = this.#parts;
    if (!this.#begun.has(id) || !this.#given.onJob) return;
    const job = await readJob(db, id, options.definitions);
    if (job?.state !== 'finished' && job?.state !== 'cancelled') return;
    this.#begun.delete(id);
    this.#given.onJob(name, job.state);
  }

  /** Sends heartbeats for the messages and for the session. */
  async #beat(): Promise<void> {
    await Promise.allSettled([this.#parts.queue.touch([...this.#running.keys()]), this.#tellChunks()]);
  }

  #tellChunks(): Promise<void> {
    return this.#station.beat([...this.#running.keys()]);
  }

  /** Ends the sessions of silent workers, and reports jobs that this program cannot process. */
  async #lookAtOthers(): Promise<void> {
    const { db, target, options, queues } = this.#parts;
    try {
      const silent = await this.#station.session.run((client) => endSilent(client, db.schema, silenceSeconds));
      for (const { host, process, silent: seconds, isEnded } of silent) {
        const who = `the worker on ${host} (process ${process}) has given no sign of life for ${Math.round(seconds)} s`;
        if (isEnded)
          this.#station.logger.warn(`carillon: ${who}: its session was ended, so that its rows can be looked up.`);
        else {
          this.#tell(
            `carillon: ${who}, and this user may not end its session: its rows wait. Use the same user for all workers, or GRANT pg_signal_backend.`,
          );
        }
      }
      for (const sentence of (await readOthers(db, target, options.definitions, queues)).values()) {
        this.#tell(`carillon: ${sentence}`);
      }
    } catch {
      // The loop detects an unreachable database.
    }
  }

  #tell(sentence: string): void {
    const key = sentence.replaceAll(/\d+ s/g, '');
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#station.logger.warn(sentence);
  }

  /** Finishes the requests in flight. Waits slightly longer than their deadline at most, even if the database does not answer. */
  async #finish(): Promise<void> {
    const ended = Promise.all([...this.#running.values(), this.#truth.end()]);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    await within(ended, stopTime + (this.#held.size > 0 ? this.#deadline : 0));
    if (!isOver) {
      this.#station.giveUp();
      // Rows without a reply to their mark now record in the file that no request was sent.
      await within(ended, fileTime);
    }
    await this.#station.close();
  }
}

async function addTo(queue: Queue, { pool, schema }: Database, chunks: readonly Chunk[]): Promise<void> {
  for (const chunk of chunks) {
    const { rows } = await pool.query<{ queue: string }>(`SELECT queue FROM ${schema}.jobs WHERE id = $1`, [chunk.job]);
    const of = rows[0]?.queue;
    if (of !== undefined) await queue.add(queueOfJob({ queue: of, id: chunk.job }), [chunk]);
  }
}
