/// <reference types="node" />
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'carillon';
import { forgetRows } from '../control/change-job.ts';
import { JobsError } from '../jobs-error.ts';
import { explain, isAway, isRetryable, rethrow } from '../store/explain.ts';
import type { ActiveJob, Claim } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { JobDefinition, WorkOptions } from '../types.ts';
import { abortableSleep, startStopwatch, within } from '../waiting.ts';
import { Failures } from './failures.ts';
import { Gate } from './gate.ts';
import { intervals } from './intervals.ts';
import type { KnownJob } from './known-job.ts';
import { lookUpRow } from './look-up-row.ts';
import { checksOptOuts, recheckOptOuts } from './opt-out-recheck.ts';
import { hostOf } from './outage.ts';
import { JobPlaces, maxHeldWait } from './places.ts';
import { recoverLogs } from './recover.ts';
import { LogError } from './send-log.ts';
import { type Held, type RowWork, sendRow, write } from './send-row.ts';
import { isBehind, pauseWentBack } from './went-back.ts';
import { type Listener, type ResourceParts, WorkerResources } from './worker-resources.ts';

/** Milliseconds for which an ending worker waits for its outcomes, in addition to the deadline of its requests. */
const stopTime = 3_000;

/**
 * Milliseconds for which an ending worker then waits to be unregistered. Together with closing the connections, this takes less than
 * the five seconds that the guide promises.
 */
const closingTime = 500;

/** Milliseconds between two checks of an opt-out list that another worker is reading. */
const listWait = 500;

/** Milliseconds by which the store's clock must advance more than the clock of this process to count as set forward. */
const clockJump = 5_000;

export interface WorkerParts extends ResourceParts {
  readonly definitions: readonly JobDefinition[];
  /** Client that retries, for reading lists. */
  readonly api: Client;
  /** Functions that make a worker check its jobs immediately, because a job has changed. */
  readonly notices: Set<() => void>;
}

interface JobWork {
  job: KnownJob;
  readonly places: JobPlaces;
  readonly rows: RowWork;
  /** Rows that are being looked up. */
  lookups: number;
  /** Whether this worker reads the opt-out list of the job. */
  isChecking: boolean;
  isKept: boolean;
  hasBegun: boolean;
  /** Outage that the store shows as the reason why the job waits. */
  shown: string | undefined;
}

/** Works on the jobs of a store: claims and sends rows, looks up rows in doubt, and ends jobs. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #given: WorkOptions;
  readonly #resources: WorkerResources;
  readonly #jobs = new Map<number, JobWork>();
  readonly #places: number;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #free: number;
  #lookAt = 0;
  #idle = intervals.look;
  /** Time of the store and of this process at the last check. */
  #clock: { store: number; local: number } | undefined;
  /** Time of this process before which nothing is looked up. */
  #lookUpFrom = 0;
  #isAway = false;
  #failure: unknown;
  /** Whether a claim had no response, so that the store may have claimed rows that this worker does not know. */
  #isUnsure = false;
  #claims = 0;
  #beating: Promise<boolean> | undefined;
  #recovering: Promise<void> | undefined;
  #comparing: Promise<void> | undefined;
  #wake = (): void => undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(parts: WorkerParts, given: WorkOptions, resources: WorkerResources) {
    this.#parts = parts;
    this.#given = given;
    this.#resources = resources;
    this.#places = given.concurrency ?? 10;
    this.#free = this.#places;
  }

  static async run(parts: WorkerParts, given: WorkOptions): Promise<void> {
    const listener: Listener = {
      onAway: (error) => worker.#onStoreAway(error),
      onFailure: (error) => worker.#fail(error),
      onSettled: () => worker.#settled(),
    };
    const resources = await WorkerResources.open(parts, listener).catch(rethrow);
    const worker = new Worker(parts, given, resources);
    const notice = (): void => worker.#notice();
    parts.notices.add(notice);
    await worker.#run().finally(() => parts.notices.delete(notice));
    if (worker.#failure !== undefined) throw explain(worker.#failure);
  }

  async #run(): Promise<void> {
    const { signal } = this.#given;
    const stopped = new Promise<void>((resolve) => this.#stop.signal.addEventListener('abort', () => resolve()));
    const stop = (): void => this.#stop.abort();
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
    const beats = setInterval(() => void this.#beat(), intervals.life);
    try {
      await this.#beat();
      // A turn can wait for an unresponsive store, but stopping must not wait.
      while (!this.#isStopping()) await Promise.race([this.#turn(), stopped]);
    } catch (error) {
      this.#failure ??= error;
    } finally {
      signal?.removeEventListener('abort', stop);
      stop();
      await this.#finish();
      clearInterval(beats);
      clearTimeout(this.#timer);
    }
  }

  async #turn(): Promise<void> {
    try {
      if (this.#isAway) await this.#onStoreBack();
      if (this.#lookAt <= performance.now()) await this.#look();
      this.#pump();
      const { until } = this.#given;
      if (until !== undefined && (await this.#hasEnded(until))) {
        this.#stop.abort();
        return;
      }
    } catch (error) {
      // Ignore the error, because the turn of a stopping worker is not awaited.
      if (this.#isStopping()) return;
      if (!isRetryable(error)) throw error;
      this.#onStoreAway(error);
    }
    const isBusy = this.#free < this.#places || this.#claims > 0;
    this.#idle = isBusy ? intervals.look : Math.min(this.#idle * 2, intervals.idle);
    await Promise.race([
      abortableSleep(this.#idle, this.#stop.signal),
      new Promise<void>((resolve) => {
        this.#wake = resolve;
      }),
    ]);
  }

  /** This is a function, so that the compiler does not narrow a state that changes while the loop waits. */
  #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Checks the jobs immediately, because a job has changed. */
  #notice(): void {
    this.#lookAt = 0;
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#stop.abort();
  }

  /** Checks the jobs if some may have ended, after outcomes were stored. */
  #settled(): void {
    const isIdle = [...this.#jobs.values()].some(({ places }) => places.inFlight === 0 && places.waiting.length === 0);
    if (isIdle || this.#free === this.#places) this.#notice();
  }

  /** Reads the jobs on which this worker can work, and their limits. */
  async #look(): Promise<void> {
    this.#lookAt = performance.now() + intervals.look;
    const { store, queues, definitions } = this.#parts;
    const found = await store.activeJobs(queues, [...this.#jobs.keys()]);
    this.#watchClock(found);
    for (const { definition: name, ...job } of found) {
      const definition = definitions.find((each) => each.name === name);
      if (definition) await this.#lookAtJob({ ...job, definition }, { definition: name, ...job });
    }
    const ids = new Set(found.map(({ id }) => id));
    for (const [id, { places, lookups }] of this.#jobs)
      if (!ids.has(id) && places.inFlight === 0 && lookups === 0) this.#jobs.delete(id);
  }

  /** After the store's clock was set forward, requests seem to have been sent long ago. Therefore, lookups wait again. */
  #watchClock(jobs: readonly ActiveJob[]): void {
    const [first] = jobs;
    if (!first) return;
    const clock = { store: first.now, local: performance.now() };
    const before = this.#clock ?? clock;
    if (clock.store - before.store > clock.local - before.local + clockJump)
      this.#lookUpFrom = clock.local + Math.max(...jobs.map(({ lookupAfter }) => lookupAfter));
    this.#clock = clock;
  }

  async #lookAtJob(job: KnownJob, active: ActiveJob): Promise<void> {
    const { store } = this.#parts;
    const work = this.#jobs.get(job.id) ?? this.#add(job);
    const before = work.job;
    work.job = job;
    const { places } = work;
    if (await this.#hasGoneBack(job)) await this.#goBack(work);
    else this.#resources.see(job.seed, job.marks);
    // The turns of the waiting rows were based on the old rate.
    if (before.rate !== job.rate) places.endWaits();
    // A person has resumed the job.
    if ((before.state !== 'running' && job.state === 'running') || (work.shown !== undefined && job.reason === null)) {
      places.gate.open();
      places.restUntil = 0;
      work.shown = undefined;
    }
    if (job.state !== 'running') this.#release(work);
    places.hasPlanned = active.hasPlanned;
    if (active.wait > 0) this.#restByStore(work, active.wait);
    if (active.hasDue && performance.now() >= this.#lookUpFrom) this.#startLookups(work);
    await this.#reportOutage(work);
    const isIdle = places.waiting.length === 0 && places.inFlight === 0 && this.#resources.isSettled;
    const isOpen = active.hasPlanned || active.hasDoubt || active.hasClaimed;
    // A claim without a response can commit after the comparison of the worker and the store.
    if (active.hasClaimed && !active.hasPlanned && isIdle) void this.#track(this.#reconnect());
    if (job.state === 'running' && !isOpen && isIdle) {
      if (await store.finish(job.id)) work.job = { ...job, state: 'finished' };
    }
    this.#reportEnd(work);
  }

  #add(job: KnownJob): JobWork {
    const gate = new Gate(() => performance.now());
    const places = new JobPlaces(gate);
    const resources = this.#resources;
    const stop = this.#stop.signal;
    const isAway = (): boolean => this.#isAway;
    const work: JobWork = {
      job,
      places,
      lookups: 0,
      isChecking: false,
      isKept: false,
      hasBegun: false,
      // A worker that has ended may have left an outage as the reason.
      shown: job.state === 'running' ? (job.reason ?? undefined) : undefined,
      rows: {
        resources,
        get job() {
          return work.job;
        },
        failures: new Failures(),
        gate,
        host: hostOf(this.#parts.options.client.baseUrl),
        signal: stop,
        isRunning: () => work.job.state === 'running' && !stop.aborted && !isAway(),
        rest: (milliseconds) => this.#rest(work, milliseconds),
        restForAccount: (milliseconds) => this.#restByStore(work, milliseconds),
        outside: async (wait) => {
          this.#free += 1;
          this.#pump();
          try {
            await wait();
          } finally {
            // The row continues at once, even if its place is taken.
            this.#free -= 1;
          }
        },
        stop: (reason) => this.#pauseJob(work, reason),
      },
    };
    this.#jobs.set(job.id, work);
    return work;
  }

  async #pauseJob(work: JobWork, reason: string): Promise<void> {
    const { id, name } = work.job;
    const isPaused = await this.#parts.store
      .changeJob(id, { state: 'paused', reason }, { states: ['running'] })
      .catch(() => false);
    if (work.job.state === 'running') work.job = { ...work.job, state: 'paused', reason };
    this.#release(work);
    // Warn only once, because other rows in flight fail in the same way.
    if (isPaused) this.#resources.logger.warn(`carillon: ${name}: paused: ${reason}`);
    this.#notice();
  }

  async #goBack(work: JobWork): Promise<void> {
    const { job } = work;
    if (await pauseWentBack(this.#parts.store, job, await this.#resources.seenOf(job.seed)))
      this.#resources.logger.warn(
        `carillon: ${job.name}: paused: its data was reset to an earlier state. To see the reason, run carillon-jobs status ${job.name}`,
      );
    if (work.job.state === 'running') work.job = { ...work.job, state: 'paused' };
    this.#release(work);
  }

  /** Whether a job is in another place than this worker, or has fewer marks than this machine has seen. */
  async #hasGoneBack(job: KnownJob): Promise<boolean> {
    if (job.place !== this.#resources.place) return true;
    return isBehind(this.#parts.store, job, await this.#resources.seenOf(job.seed));
  }

  /** Returns rows that wait in this worker to the state `planned`. */
  #release({ places, rows }: Pick<JobWork, 'places' | 'rows'>): void {
    for (const { held } of places.waiting.splice(0)) write(rows, held, { state: 'planned' });
  }

  #rest(work: JobWork, milliseconds: number): void {
    const until = performance.now() + milliseconds;
    work.places.restUntil = Math.max(work.places.restUntil, until);
    // During long waits, rows do not stay in this worker, so that others can take them.
    if (milliseconds > maxHeldWait) this.#release(work);
  }

  /** Waits as the store requires. A long wait lasts only until the next claim asks the store again, because a person can end the wait. */
  #restByStore(work: JobWork, milliseconds: number): void {
    if (milliseconds > maxHeldWait) this.#release(work);
    this.#rest(work, milliseconds > maxHeldWait ? intervals.look : milliseconds);
  }

  /** Starts the rows that can start, and claims further rows. */
  #pump(): void {
    if (this.#isStopping() || this.#isAway || !this.#resources.isAlive()) return;
    const now = performance.now();
    while (this.#free > 0) {
      let next: JobWork | undefined;
      for (const work of this.#jobs.values()) {
        const { places, job } = work;
        if (job.state !== 'running' || !places.canStart(now)) continue;
        if (!next || isBefore(work, next)) next = work;
      }
      const held = next?.places.take(now);
      if (!next || !held) break;
      this.#start(next, held);
    }
    for (const work of [...this.#jobs.values()].toSorted((one, other) => other.job.priority - one.job.priority)) {
      if (this.#canClaim(work, now)) void this.#track(this.#claim(work));
    }
    clearTimeout(this.#timer);
    if (this.#free <= 0) return;
    const waits = [...this.#jobs.values()].flatMap(({ places, job }) =>
      job.state === 'running' ? (places.wait(now) ?? (places.restUntil > now ? places.restUntil - now : [])) : [],
    );
    if (waits.length > 0)
      this.#timer = setTimeout(() => this.#pump(), Math.min(Math.max(1, Math.min(...waits)), 2 ** 31 - 1));
  }

  /** Whether a job needs rows, and jobs with a higher priority do not fill all places of this worker. */
  #canClaim({ places, job, isChecking }: JobWork, now: number): boolean {
    if (job.state !== 'running' || isChecking || !places.needsRows(this.#placesOf(job), this.#free, now)) return false;
    let ahead = 0;
    for (const { places: other, job: otherJob } of this.#jobs.values()) {
      if (otherJob.priority <= job.priority || other.restUntil > now || other.gate.isClosed) continue;
      // The rows of a job with a higher priority will arrive soon.
      if (other.isClaiming) return false;
      if (otherJob.rate === null) ahead += other.waiting.length;
    }
    return ahead < this.#places;
  }

  /** Number of rows of a job that this worker can send at the same time. */
  #placesOf({ concurrency }: KnownJob): number {
    return Math.min(this.#places, concurrency ?? this.#places);
  }

  async #claim(work: JobWork): Promise<void> {
    const { places } = work;
    places.isClaiming = true;
    try {
      while (this.#comparing || this.#isUnsure) await this.#reconnect();
      this.#claims += 1;
      try {
        await this.#claimRows(work);
      } finally {
        this.#claims -= 1;
      }
    } catch (error) {
      this.#isUnsure = true;
      if (isRetryable(error)) this.#onStoreAway(error);
      else this.#fail(error);
    } finally {
      places.isClaiming = false;
      this.#pump();
      this.#wake();
    }
  }

  async #claimRows(work: JobWork): Promise<void> {
    const { places, job } = work;
    await this.#keepJob(work);
    const { worker, place } = this.#resources;
    const age = startStopwatch();
    const claim = await this.#parts.store.claim({
      job: job.id,
      worker,
      place,
      count: places.gate.isClosed ? 1 : places.claimSize(this.#placesOf(job), this.#free),
      seen: await this.#resources.seenOf(job.seed),
      needsList: checksOptOuts(job),
    });
    this.#accept(work, claim, worker, age);
  }

  /** Accepts the rows of a claim, or handles the reason why there are none. */
  #accept(work: JobWork, { rows, marks, turn, pace, hindrance, wait }: Claim, worker: number, age: () => number): void {
    const { places, job } = work;
    const now = performance.now();
    places.hasPlanned = rows.length > 0;
    if (rows.length > 0) {
      this.#resources.see(job.seed, marks);
      this.#resources.hold(rows);
      places.add(
        rows.map((row, index) => ({ row, results: row.results ?? {}, age, turn: now + turn + index * pace })),
        now,
      );
      // The rows were claimed under a number that has since expired, or for a job that was paused.
      if (this.#isStopping() || worker !== this.#resources.worker || work.job.state !== 'running') this.#release(work);
      else if (!work.hasBegun) {
        work.hasBegun = true;
        this.#given.onJob?.(job.name, 'started');
      }
      return;
    }
    places.hasPlanned = hindrance !== undefined;
    switch (hindrance) {
      case 'full':
        places.restFull(now);
        return;
      case 'wait':
        this.#restByStore(work, wait ?? 0);
        return;
      case 'list':
        places.restUntil = now + listWait;
        void this.#track(this.#recheck(work));
        return;
      case 'worker':
        void this.#beat();
        return;
      case 'marks':
      case 'place':
        void this.#track(this.#goBack(work));
        return;
      case 'state':
        this.#lookAt = 0;
        return;
      case undefined:
    }
  }

  async #recheck(work: JobWork): Promise<void> {
    work.isChecking = true;
    try {
      const { store, api } = this.#parts;
      const parts = { store, api, signal: this.#stop.signal };
      if (await recheckOptOuts(parts, work.job, (reason) => this.#pauseJob(work, reason))) work.places.restUntil = 0;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      this.#onStoreAway(error);
    } finally {
      work.isChecking = false;
      this.#notice();
    }
  }

  /** Remembers a job in the folder before its first row is sent. */
  async #keepJob(work: JobWork): Promise<void> {
    const { job } = work;
    if (work.isKept || job.place !== this.#resources.place) return;
    await this.#parts.memory.keep({ ...job, definition: job.definition.name, location: this.#parts.store.location });
    work.isKept = true;
  }

  #start(work: JobWork, held: Held): void {
    const { places } = work;
    const begun = performance.now();
    this.#free -= 1;
    places.inFlight += 1;
    places.gate.start();
    const run = async (): Promise<void> => {
      try {
        const next = await sendRow(work.rows, held);
        if (next && (this.#isStopping() || next.after > maxHeldWait || work.job.state !== 'running'))
          write(work.rows, next.again, { state: 'planned' });
        else if (next) places.add([next.again], performance.now() + next.after, this.#places);
      } finally {
        this.#free += 1;
        places.inFlight -= 1;
        places.ended(performance.now() - begun);
      }
    };
    void this.#track(run()).then(() => this.#pump());
  }

  #startLookups(work: JobWork): void {
    const count = Math.min(this.#free, this.#places - work.lookups);
    if (count <= 0) return;
    work.lookups += count;
    void this.#track(
      this.#parts.store
        .takeDoubtful(work.job.id, count)
        .then(async (rows) => {
          await Promise.all(rows.map((row) => this.#lookUp(work, row)));
          if (rows.length > 0) this.#lookAt = 0;
        })
        .finally(() => {
          work.lookups -= count;
        }),
    );
  }

  async #lookUp(work: JobWork, row: StoredRow): Promise<void> {
    this.#free -= 1;
    try {
      await lookUpRow(work.rows, row);
    } finally {
      this.#free += 1;
    }
  }

  /** Tracks a promise, so that the worker waits for it before it ends. */
  async #track(run: Promise<unknown>): Promise<void> {
    this.#running.add(run);
    try {
      await run;
    } catch (error) {
      if (isRetryable(error)) this.#onStoreAway(error);
      else this.#fail(error);
    } finally {
      this.#running.delete(run);
    }
  }

  /**
   * Sends a heartbeat, then recovers the rows of workers that have ended. The recovery is separate, because it can take longer than
   * others wait for a heartbeat.
   */
  async #beat(): Promise<void> {
    this.#beating ??= this.#succeeds(() => this.#giveSign()).finally(() => {
      this.#beating = undefined;
    });
    if (!(await this.#beating)) return;
    this.#recovering ??= this.#succeeds(() => this.#recover())
      .then(() => undefined)
      .finally(() => {
        this.#recovering = undefined;
      });
    await this.#recovering;
  }

  async #giveSign(): Promise<void> {
    const { wasDead, hasMoved } = await this.#resources.beat();
    // Rows that this worker has not sent are planned again. Outcomes of rows that it has sent still count.
    if (wasDead || hasMoved) for (const work of this.#jobs.values()) this.#release(work);
    if (hasMoved) this.#lookAt = 0;
  }

  async #recover(): Promise<void> {
    const { store, memory, folder } = this.#parts;
    await recoverLogs({ store, memory, folder }, this.#resources.place);
    await this.#forgetOld();
  }

  /** @returns whether the function succeeded */
  async #succeeds(run: () => Promise<void>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      if (isRetryable(error) || error instanceof LogError) this.#onStoreAway(error);
      else if (!this.#isStopping()) this.#fail(error);
      return false;
    }
  }

  /** Removes the personal data of jobs whose retention has passed since their end. */
  async #forgetOld(): Promise<void> {
    const { store } = this.#parts;
    for (const job of await store.jobs()) {
      const { retention, endedAt, forgottenAt, now, id } = job;
      if (retention === null || endedAt === null || endedAt + retention * 86_400_000 > now) continue;
      if (forgottenAt === null || forgottenAt < endedAt) await forgetRows(store, id);
    }
  }

  /** Compares the store with the rows that this worker holds, after a claim without a response. */
  async #reconnect(): Promise<void> {
    this.#comparing ??= this.#compare().finally(() => {
      this.#comparing = undefined;
    });
    await this.#comparing;
  }

  async #compare(): Promise<void> {
    // Claims in flight may already be in the store. No claim starts in the meantime.
    while (this.#claims > 0) await sleep(10);
    await this.#beat();
    await this.#resources.reconcile();
    this.#isUnsure = false;
  }

  /** Records that the store failed. Warns only once until the store responds again. */
  #onStoreAway(error: unknown): void {
    if (this.#isStopping()) return;
    if (error instanceof LogError) this.#resources.missLog(error);
    else if (!this.#isAway) {
      const reason = isAway(error) ? 'the connection to the database is lost.' : explain(error).message;
      this.#resources.logger.warn(`carillon: ${reason} No requests are sent until the database is back.`);
    }
    this.#isAway = true;
  }

  /** Resumes the work if the store responds, otherwise rejects. */
  async #onStoreBack(): Promise<void> {
    await this.#parts.store.now();
    this.#isAway = false;
    this.#isUnsure = true;
    this.#lookAt = 0;
    this.#resources.logger.warn('carillon: the database is back.');
  }

  /** Whether a job has ended or is paused, and this worker has no rows of the job in flight. */
  async #hasEnded(name: string): Promise<boolean> {
    const known = [...this.#jobs.values()].find(({ job }) => job.name === name);
    if (known && (known.job.state === 'running' || known.places.inFlight > 0)) return false;
    const [job] = await this.#parts.store.jobs(name);
    if (!job) throw new JobsError(`There is no job ${name}.`);
    return job.state !== 'running';
  }

  /** Reports the start and the end of an outage as the reason why a job waits. */
  async #reportOutage(work: JobWork): Promise<void> {
    const { job, shown, places, rows } = work;
    const { outage } = places.gate;
    const reason = outage && `${outage.reason} since ${new Date(outage.since).toISOString()}`;
    if (reason === shown || job.state !== 'running') return;
    await this.#parts.store.changeJob(job.id, { reason: reason ?? null }, { states: ['running'] });
    work.shown = reason;
    this.#resources.logger.warn(`carillon: ${job.name}: ${reason ?? `the service at ${rows.host} is back`}.`);
  }

  /** Reports the end of a job once. */
  #reportEnd(work: JobWork): void {
    const { state, name } = work.job;
    if (!work.hasBegun || (state !== 'finished' && state !== 'cancelled')) return;
    work.hasBegun = false;
    this.#given.onJob?.(name, state);
  }

  /** Finishes the requests in flight. Waits at most slightly longer than their deadline, even if the store does not respond. */
  async #finish(): Promise<void> {
    for (const work of this.#jobs.values()) this.#release(work);
    const sending = [...this.#jobs.values()].filter(({ places }) => places.inFlight > 0);
    const deadline = Math.max(0, ...sending.map(({ job }) => job.deadline));
    const ended = Promise.allSettled(this.#running).then(() => this.#resources.flush());
    if (!(await within(ended, stopTime + deadline))) this.#resources.giveUp();
    await within(this.#resources.close(), closingTime);
  }
}

/** Whether a row of one job goes before a row of the other: a higher priority first, then fewer rows in flight. */
function isBefore(one: JobWork, other: JobWork): boolean {
  if (one.job.priority !== other.job.priority) return one.job.priority > other.job.priority;
  return one.places.inFlight < other.places.inFlight;
}
