import type { JobLimits } from '../journal/active-jobs.ts';

/** Longest wait of a job, in milliseconds, for which its rows stay in this worker. */
const maxHeldWait = 5_000;

/** Waits for a limit of rows in flight that other workers have reached, in milliseconds. Each one is twice the last. */
const { firstFullWait, maxFullWait } = { firstFullWait: 250, maxFullWait: 2_000 };

/** Order of a row among the others of its job. A row that failed goes `soon`: behind as many others as the worker has places. */
export type Order = 'first' | 'soon' | 'last';

/** Kind of a row's place. */
export interface Place {
  /** Whether it sends the row. Lookups do not wait for the rate or the gate of their job. */
  readonly isSending: boolean;
  readonly order?: Order;
}

/** Something to do for a row. */
interface Task extends Pick<Place, 'isSending'> {
  readonly since: number;
  run(leave: () => void): Promise<unknown>;
  /** Ends it without having run. */
  drop(): void;
}

/** A job that has rows in this worker, with its waits. */
export class ActiveJob {
  readonly id: string;
  limits: JobLimits;
  readonly lookups: Task[] = [];
  readonly sendings: Task[] = [];
  /** Number of rows that are being sent. */
  inFlight = 0;
  /** Time until which nothing is sent, of `performance.now()`. */
  restUntil = 0;
  /** After a wait, one row is sent first, because the others may have to wait again. */
  isTrying = false;
  /** Whether the wait is for a limit of rows in flight. */
  isFull = false;
  fullWait = 0;
  /** The next request at the rate of the job: reserved, or due. */
  turn: 'none' | 'reserved' | 'due' = 'none';
  lastTurn = Number.NEGATIVE_INFINITY;
  timer: NodeJS.Timeout | undefined;
  turnTimer: NodeJS.Timeout | undefined;

  constructor(id: string, limits: JobLimits) {
    this.id = id;
    this.limits = limits;
  }

  /** Remaining wait in milliseconds. */
  get wait(): number {
    return Math.max(0, this.restUntil - performance.now());
  }
}

/**
 * Shares the places of a worker among its jobs: those with a higher priority first, then those with fewer rows in flight. A row takes
 * a place when it can be sent. So a job that waits, for its rate or its service, never holds another.
 */
export class Scheduler {
  readonly jobs = new Map<string, ActiveJob>();
  readonly #places: number;
  readonly #pace: (job: string) => Promise<number>;
  readonly #onChange: () => void;
  #free: number;
  #isStopped = false;

  /**
   * @param pace - reserves the next request at the rate of a job, and returns the milliseconds until then
   * @param onChange - called when rows have started or ended
   */
  constructor(places: number, pace: (job: string) => Promise<number>, onChange: () => void) {
    this.#places = places;
    this.#free = places;
    this.#pace = pace;
    this.#onChange = onChange;
  }

  /** Returns a job with its current limits. A change of its rate ends the wait for its next request. */
  update(id: string, limits: JobLimits): ActiveJob {
    const job = this.jobs.get(id) ?? new ActiveJob(id, limits);
    this.jobs.set(id, job);
    if (job.limits.rate !== limits.rate) this.#endTurn(job);
    job.limits = limits;
    return job;
  }

  /** Removes a job without rows. */
  remove(job: ActiveJob): void {
    clearTimeout(job.timer);
    this.#endTurn(job);
    this.jobs.delete(job.id);
  }

  /** Whether more rows of a job should be read: most of those that it or jobs with a higher priority have in this worker have started. */
  needsRows({ id, limits, sendings }: Pick<ActiveJob, 'id' | 'limits' | 'sendings'>): boolean {
    if (sendings.length >= this.#places) return false;
    let ahead = 0;
    for (const other of this.jobs.values()) {
      if (other.id !== id && other.limits.priority > limits.priority && other.wait === 0 && other.limits.rate === null)
        ahead += other.sendings.length;
    }
    return ahead < this.#places;
  }

  /**
   * Runs a task when there is a place for it.
   *
   * @param act - runs the task. It can leave its place before it ends
   * @returns its result, or `undefined` if it was dropped, because the job waits for long or the worker ends
   */
  run<Result>(
    job: ActiveJob,
    { isSending, order = 'last' }: Place,
    act: (leave: () => void) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.#isStopped || (isSending && job.wait > maxHeldWait)) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const task: Task = {
        isSending,
        since: performance.now(),
        run: (leave) => act(leave).then(resolve, reject),
        drop: () => resolve(undefined),
      };
      const queue = isSending ? job.sendings : job.lookups;
      if (order === 'last') queue.push(task);
      else queue.splice(order === 'first' ? 0 : this.#places, 0, task);
      this.schedule();
    });
  }

  /** Waits without holding the place of the row that calls it. */
  async outside(wait: () => Promise<unknown>): Promise<void> {
    this.#free += 1;
    this.schedule();
    try {
      await wait();
    } finally {
      // The row continues at once, even if its place is taken.
      this.#free -= 1;
    }
  }

  /** Leaves the turn of a row that has just started to the next row, because nothing is sent for it. */
  keepTurn(job: ActiveJob): void {
    if (job.limits.rate !== null && job.turn === 'none') job.turn = 'due';
  }

  /** Sends no row of a job for some milliseconds. Drops its rows if that is long, so that other workers can take them. */
  rest(job: ActiveJob, milliseconds: number): void {
    job.restUntil = Math.max(job.restUntil, performance.now() + milliseconds);
    job.isTrying = true;
    job.isFull = false;
    if (milliseconds > maxHeldWait) this.#drop(job.sendings);
    this.#wakeLater(job);
  }

  /** Waits because other workers have reached the limit of rows in flight. A row of this worker that ends makes room. */
  restFull(job: ActiveJob): void {
    job.fullWait = Math.min(Math.max(firstFullWait, job.fullWait * 2), maxFullWait);
    job.restUntil = Math.max(job.restUntil, performance.now() + job.fullWait);
    job.isTrying = true;
    job.isFull = true;
    this.#wakeLater(job);
  }

  /** Ends all waits of a job. */
  wake(job: ActiveJob): void {
    job.restUntil = 0;
    job.isTrying = false;
    this.#endTurn(job);
    this.schedule();
  }

  /** Drops the rows of a job that have waited longer than some milliseconds. */
  dropOld(job: ActiveJob, milliseconds: number): void {
    const before = performance.now() - milliseconds;
    this.#drop(job.sendings, ({ since }) => since <= before);
  }

  /** Drops all rows that have not started. */
  stop(): void {
    this.#isStopped = true;
    for (const job of this.jobs.values()) {
      this.#drop(job.sendings);
      this.#drop(job.lookups);
      clearTimeout(job.timer);
      this.#endTurn(job);
    }
  }

  /** Starts the rows that can start. */
  schedule(): void {
    while (this.#free > 0) {
      let next: ActiveJob | undefined;
      for (const job of this.jobs.values()) if (this.#canStart(job) && (!next || isBefore(job, next))) next = job;
      if (!next) return;
      this.#start(next);
    }
  }

  #canStart(job: ActiveJob): boolean {
    if (job.lookups.length > 0) return true;
    const { concurrency, rate } = job.limits;
    if (job.sendings.length === 0 || job.wait > 0) return false;
    if (job.inFlight >= (job.isTrying ? 1 : (concurrency ?? Number.POSITIVE_INFINITY))) return false;
    if (rate === null || job.turn === 'due') return true;
    if (job.turn === 'none') void this.#takeTurn(job, rate);
    return false;
  }

  #start(job: ActiveJob): void {
    const task = job.lookups.shift() ?? job.sendings.shift();
    if (!task) return;
    const { isSending } = task;
    const { restUntil } = job;
    this.#free -= 1;
    if (isSending) {
      job.inFlight += 1;
      job.turn = 'none';
      job.lastTurn = performance.now();
    }
    let hasPlace = true;
    const leave = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      this.#free += 1;
      if (isSending) {
        job.inFlight -= 1;
        if (job.isFull) job.restUntil = 0;
        if (job.restUntil === restUntil && job.isTrying) {
          job.isTrying = false;
          job.fullWait = 0;
        }
      }
      this.schedule();
      this.#onChange();
    };
    void task.run(leave).finally(leave);
  }

  async #takeTurn(job: ActiveJob, rate: number): Promise<void> {
    job.turn = 'reserved';
    const timer = setTimeout(() => undefined, 0);
    job.turnTimer = timer;
    const reserved = await this.#pace(job.id);
    // The rate has changed meanwhile.
    if (job.turnTimer !== timer) return;
    // A turn that came late, because no place was free, does not bring the next one nearer.
    const wait = Math.max(reserved, job.lastTurn + 1_000 / rate - performance.now());
    job.turnTimer = setTimeout(() => {
      job.turn = 'due';
      this.schedule();
    }, wait);
  }

  #endTurn(job: ActiveJob): void {
    clearTimeout(job.turnTimer);
    job.turnTimer = undefined;
    job.turn = 'none';
    job.lastTurn = Number.NEGATIVE_INFINITY;
  }

  #wakeLater(job: ActiveJob): void {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => this.schedule(), Math.min(job.wait, 2 ** 31 - 1) + 1);
  }

  #drop(queue: Task[], isDropped: (task: Task) => boolean = () => true): void {
    const kept = queue.filter((task) => !isDropped(task));
    const dropped = queue.filter(isDropped);
    queue.splice(0, queue.length, ...kept);
    for (const task of dropped) task.drop();
  }
}

function isBefore(one: ActiveJob, other: ActiveJob): boolean {
  const { priority } = one.limits;
  if (priority !== other.limits.priority) return priority > other.limits.priority;
  return one.inFlight < other.inFlight;
}
