/// <reference types="node" />
import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type Logger } from 'carillon';
import { isRetryable } from '../store/explain.ts';
import type { RowOutcome, Store } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import type { JobsOptions } from '../types.ts';
import { startStopwatch } from '../waiting.ts';
import { createHook, guardFetch } from './attempt.ts';
import type { FolderMemory } from './folder-memory.ts';
import { attemptOf, LogError, SendLog } from './send-log.ts';

/** `delay`: milliseconds after which outcomes are settled together. `max`: maximum outcomes of one statement. */
const batch = { delay: 100, max: 500 };

/** Other workers declare a worker dead after some time without a heartbeat. A worker may send for this fraction of that time. */
const lease = 2 / 3;

/** First wait in milliseconds between two attempts while the store does not respond. Each wait is twice as long as the previous one. */
const firstRetry = 100;
const maxRetry = 2_000;

export interface ResourceParts {
  readonly store: Store;
  readonly memory: FolderMemory;
  readonly folder: string;
  readonly options: Pick<JobsOptions, 'client'> & { readonly logger: Logger };
  readonly queues: readonly string[];
}

/** Receives events from a worker's resources. */
export interface Listener {
  /** Called when the store does not respond. */
  onAway(error: unknown): void;
  /** Called when the store cannot be used. */
  onFailure(error: unknown): void;
  /** Called when outcomes are in the store. */
  onSettled(): void;
}

/** State shared by the rows of a worker: its number, its log, its clients, and outcomes that are not yet in the store. */
export class WorkerResources {
  readonly store: Store;
  readonly logger: Logger;
  readonly log: SendLog;
  readonly #parts: ResourceParts;
  readonly #clients = new Map<number, Client>();
  #worker: number;
  #place: string;
  #sinceBeat = startStopwatch();
  /** Attempts that this worker has claimed but not settled. */
  readonly #held = new Set<string>();
  #pending: RowOutcome[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #isGivenUp = false;
  /** `#seen`: highest marks of jobs that this process has seen, by seed. `#kept`: highest marks that the folder remembers. */
  readonly #seen = new Map<string, number>();
  readonly #kept = new Map<string, number>();
  #warning = '';
  readonly #listener: Listener;

  private constructor(parts: ResourceParts, listener: Listener, log: SendLog, worker: number, place: string) {
    this.#parts = parts;
    this.#listener = listener;
    this.store = parts.store;
    this.logger = parts.options.logger;
    this.log = log;
    this.#worker = worker;
    this.#place = place;
  }

  /** Starts a worker. The log is created first, because a worker without a log counts as dead. */
  static async open(parts: ResourceParts, listener: Listener): Promise<WorkerResources> {
    const place = await parts.store.place();
    const worker = newNumber();
    const log = await SendLog.create(parts.folder, worker, place);
    try {
      await register(parts, worker);
      return new WorkerResources(parts, listener, log, worker, place);
    } catch (error) {
      await log.close(true);
      throw error;
    }
  }

  get worker(): number {
    return this.#worker;
  }

  get place(): string {
    return this.#place;
  }

  /** Whether no outcomes wait for the store. */
  get isSettled(): boolean {
    return this.#pending.length === 0 && this.#flushing === undefined;
  }

  /** Whether this worker is certainly alive for others. On one machine, the lock of its log proves this. */
  isAlive(): boolean {
    return this.store.silence === undefined || this.#sinceBeat() <= this.store.silence * lease;
  }

  /** Returns the client for a deadline. The client does not retry, because each request needs a line in the log. */
  apiFor(deadline: number): Client {
    const known = this.#clients.get(deadline);
    if (known) return known;
    const { client } = this.#parts.options;
    const middleware = [...(client.middleware ?? []), createHook(this.store)];
    const api = createClient({
      ...client,
      middleware,
      fetch: guardFetch(client.fetch),
      timeout: deadline,
      maxRetries: 0,
    });
    this.#clients.set(deadline, api);
    return api;
  }

  async seenOf(seed: string): Promise<number> {
    const seen = this.#seen.get(seed);
    if (seen !== undefined) return seen;
    const kept = await this.#parts.memory.marksOf(seed);
    this.#kept.set(seed, kept);
    this.#seen.set(seed, kept);
    return kept;
  }

  /** Records the marks of a job in the store. The memory of the folder receives them at the next heartbeat. */
  see(seed: string, marks: number): void {
    if (marks > (this.#seen.get(seed) ?? 0)) this.#seen.set(seed, marks);
  }

  /**
   * Sends a heartbeat. Returns whether others had declared this worker dead, and whether the place has changed. In both cases, the
   * worker receives a new number.
   */
  async beat(): Promise<{ wasDead: boolean; hasMoved: boolean }> {
    // This needs no store, which may be away.
    await this.#keepMarks();
    const sinceBeat = startStopwatch();
    const place = await this.store.place();
    const hasMoved = place !== this.#place;
    const isKnown = await this.store.beat(this.#worker);
    if (!isKnown || hasMoved) {
      const worker = newNumber();
      this.log.as(worker, place);
      await register(this.#parts, worker);
      this.#worker = worker;
      this.#place = place;
    }
    this.#sinceBeat = sinceBeat;
    return { wasDead: !isKnown, hasMoved };
  }

  /** Keeps the marks in the memory of the folder. */
  async #keepMarks(): Promise<void> {
    for (const [seed, marks] of this.#seen) {
      if (marks <= (this.#kept.get(seed) ?? 0)) continue;
      await this.#parts.memory.raise(seed, marks);
      this.#kept.set(seed, marks);
    }
  }

  /** Records the rows that a claim returned. */
  hold(rows: readonly StoredRow[]): void {
    for (const row of rows) this.#held.add(attemptOf(row));
  }

  /** Writes a line to the log for an outcome, without settling it in the store. */
  note(outcome: RowOutcome): void {
    this.log.end(outcome).catch((error: unknown) => this.missLog(error));
  }

  /** Writes an outcome to the log, and settles it together with others. */
  settle(outcome: RowOutcome, { isUrgent = false } = {}): void {
    this.note(outcome);
    this.#pending.push(outcome);
    if (isUrgent || this.#pending.length >= batch.max) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), batch.delay);
  }

  /** Settles all pending outcomes. Resolves when these outcomes are in the store, or when this worker gives up. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#flushing) await this.#flushing;
    if (this.#pending.length === 0 || this.#isGivenUp) return;
    this.#flushing = this.#flushFirst(this.#pending.length).finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  /**
   * Settles the first `count` pending outcomes. Later outcomes wait for the next batch, because a statement for a few rows costs nearly as
   * much as one for many.
   */
  async #flushFirst(count: number): Promise<void> {
    let left = count;
    let wait = firstRetry;
    while (left > 0 && !this.#isGivenUp) {
      const some = this.#pending.slice(0, Math.min(batch.max, left));
      try {
        await this.store.settle(some);
      } catch (error) {
        if (!isRetryable(error)) {
          this.#isGivenUp = true;
          this.#listener.onFailure(error);
          return;
        }
        this.#listener.onAway(error);
        await sleep(wait);
        wait = Math.min(wait * 2, maxRetry);
        continue;
      }
      this.#pending = this.#pending.slice(some.length);
      left -= some.length;
      for (const outcome of some) if (outcome.state !== 'claimed') this.#held.delete(attemptOf(outcome));
      this.log.settled(some);
      this.#listener.onSettled();
    }
  }

  /**
   * Compares the rows that the store has for this worker with the rows that the worker holds, after a claim without a
   * response. Rows that the worker never received were not sent. Must be called while no claim is in flight.
   */
  async reconcile(): Promise<void> {
    // Copy the held rows before the store is read: a row that is settled in the meantime is still claimed in the response.
    const held = new Set(this.#held);
    const rows = await this.store.heldBy(this.#worker);
    const lost = rows.filter((row) => row.state === 'claimed' && !held.has(attemptOf(row)));
    await this.store.settle(
      lost.map(({ job, number, attempt }) => ({ job, number, attempt, worker: this.#worker, state: 'planned' })),
    );
  }

  /** Stops waiting for the store. Outcomes stay in the log, and the next worker that starts in this folder settles them. */
  giveUp(): void {
    if (this.#pending.length > 0) {
      this.logger.warn(
        `carillon: could not write ${this.#pending.length} outcomes. The outcomes are in ${this.log.path}, and the next worker that starts in this folder writes them.`,
      );
    }
    this.#isGivenUp = true;
  }

  /** Ends the worker. The log remains if the store does not have all outcomes. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const isSettled = this.isSettled && this.#held.size === 0;
    await this.#keepMarks().catch(() => undefined);
    let isEnded = false;
    if (isSettled) {
      isEnded = await this.store.unregister(this.#worker).then(
        () => true,
        () => false,
      );
    }
    await this.log.close(isEnded);
  }

  /** Warns that a line could not be written to the log. Rethrows other errors. */
  missLog(error: unknown): void {
    if (!(error instanceof LogError)) throw error;
    if (this.#warning !== error.message)
      this.logger.warn(`carillon: ${error.message}. No requests are sent until the log can be written.`);
    this.#warning = error.message;
  }
}

/** Returns a random number, because a store that was reset to an earlier state would repeat sequential numbers. */
function newNumber(): number {
  return randomInt(1, 2 ** 31 - 1);
}

async function register({ store, queues }: Pick<ResourceParts, 'store' | 'queues'>, worker: number): Promise<void> {
  await store.register({ id: worker, host: hostname(), process: process.pid, queues });
}
