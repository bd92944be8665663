import { holdChunk, releaseChunks } from './change-job.ts';
import type { Database } from './database.ts';
import { explain, isTemporary } from './explain.ts';
import { Gate } from './gate.ts';
import { JobsError } from './jobs-error.ts';
import { readJob } from './known-job.ts';
import { addressOf, hostOf, outageReporter } from './outage.ts';
import { pause } from './pause.ts';
import { type ChunkWork, processChunk } from './process-chunk.ts';
import type { Queue, Received } from './queue.ts';
import { Semaphore } from './semaphore.ts';
import { isOtherService, otherService } from './service.ts';
import { Station } from './station.ts';
import type { JobsOptions, WorkOptions } from './types.ts';

/** Milliseconds between two looks at an empty queue, two signs of life, and two repairs of the queue. */
const interval = { idle: 500, life: 3_000, repair: 10_000 };

interface Parts {
  readonly db: Database;
  readonly queue: Queue;
  readonly options: JobsOptions;
  readonly account: string;
  /** Whether the job that the work is for has ended or pauses. */
  isOver(name: string): Promise<boolean>;
  /** Pauses a job with a reason. */
  stop(id: string, reason: string): Promise<void>;
  /** Puts chunks that have no message into the queue, of one job or of all. */
  requeue(id?: string): Promise<void>;
}

/** Works on chunks until the signal is aborted or the job is over. While the database is away, it sends nothing and waits. */
export async function runWorker(
  parts: Parts,
  { signal = new AbortController().signal, concurrency = 10, until, onJob }: WorkOptions,
) {
  const { db, options } = parts;
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const station = await Station.open(db, options).catch((error: unknown) => {
    throw explain(error);
  });
  const shared = {
    station,
    signal: stop,
    semaphore: new Semaphore(concurrency),
    held: new Set<string>(),
    gates: new Map<string, Gate>(),
    blocked: new Map<string, number>(),
    onJob: onJob ?? (() => undefined),
    isLoading: false,
    onProgress: (): void => undefined,
  };
  // Two chunks keep the rows in flight at their limit while the last rows of one wait for replies.
  const mostChunks = 2 + Math.ceil(concurrency / 100);
  const running = new Map<Received, Promise<void>>();
  // The next chunk is taken when the rows of those before are nearly used up, so that other workers get it if they are faster.
  const canReceive = (): boolean =>
    !shared.isLoading && running.size < mostChunks && shared.semaphore.waiting < concurrency;
  const hasRoom = (): Promise<void> =>
    new Promise((resolve) => {
      shared.onProgress = () => {
        if (canReceive()) resolve();
      };
    });
  let wakeUp = (): void => undefined;
  const hasEnded = (): Promise<void> =>
    new Promise((resolve) => {
      wakeUp = resolve;
    });
  const touch = setInterval(() => void parts.queue.touch([...running.keys()]).catch(() => undefined), interval.life);
  let fatal: unknown;
  let isLost = false;
  let repaired = Date.now();
  try {
    while (!stop.aborted && fatal === undefined) {
      try {
        if (!station.session.isAlive) {
          if (!isLost)
            options.logger?.warn('carillon: the connection to the database is lost. Nothing is sent until it is back.');
          isLost = true;
          await station.reconnect();
          options.logger?.warn('carillon: the database is back.');
          isLost = false;
        }
        const isIdle = canReceive();
        const found = isIdle && (await receive(parts));
        if (found) {
          shared.isLoading = true;
          const work = run(parts, shared, found).catch((error: unknown) => {
            if (!isTemporary(error)) fatal ??= error;
          });
          running.set(found, work);
          void work.finally(() => {
            running.delete(found);
            shared.isLoading = false;
            shared.onProgress();
            wakeUp();
          });
          continue;
        }
        if (until !== undefined && running.size === 0 && (await parts.isOver(until))) break;
        await releaseChunks(db, parts.queue);
        if (isIdle && Date.now() - repaired > interval.repair) {
          repaired = Date.now();
          await parts.requeue();
        }
      } catch (error) {
        if (!isTemporary(error)) throw error;
        isLost = true;
      }
      await Promise.race([pause(interval.idle, stop), canReceive() ? hasEnded() : hasRoom()]);
    }
  } catch (error) {
    fatal = error;
  } finally {
    end.abort();
    await Promise.all(running.values());
    clearInterval(touch);
    await station.close();
  }
  if (fatal !== undefined) throw explain(fatal);
}

async function receive({ queue, options, account }: Parts): Promise<Received | undefined> {
  for (const { name } of options.definitions) {
    const received = await queue.receive({ account, definition: name });
    if (received) return received;
  }
  return undefined;
}

type Shared = Omit<ChunkWork, 'job' | 'gate' | 'stop' | 'onLoaded' | 'onProgress'> & {
  gates: Map<string, Gate>;
  onJob: NonNullable<WorkOptions['onJob']>;
  isLoading: boolean;
  onProgress: () => void;
};

async function run(parts: Parts, shared: Shared, received: Received): Promise<void> {
  const { db, queue, options } = parts;
  let again: Date | undefined = new Date(Date.now() + 1_000);
  let isPaused = false;
  try {
    const job = await readJob(db, received.job, options.definitions);
    if (job && 'difference' in job) {
      throw new JobsError(
        `${job.name}: ${job.difference}. Finish it with the program that planned it, or cancel it and plan it under another name.`,
      );
    }
    const service = addressOf(options.client.baseUrl);
    if (job && isOtherService(job.service, service)) {
      throw new JobsError(`The job ${job.name} ${otherService(job.service, service)}`);
    }
    if (job) {
      isPaused = job.state === 'paused';
      if (!shared.gates.has(job.id)) shared.onJob(job.name, 'started');
      const { concurrency } = job;
      if (concurrency !== null) shared.station.concurrency.set(job.id, concurrency);
      await holdChunk(db, received, shared.station.worker);
      const gate =
        shared.gates.get(job.id) ??
        new Gate(outageReporter(db, job, hostOf(options.client.baseUrl), shared.station.logger));
      shared.gates.set(job.id, gate);
      const work: ChunkWork = {
        ...shared,
        job,
        gate,
        stop: (reason) => parts.stop(job.id, reason),
        onLoaded() {
          shared.isLoading = false;
          shared.onProgress();
        },
        onProgress: () => shared.onProgress(),
      };
      again = await processChunk(work, received.chunk);
      if (!again) await tellEnd(parts, shared, job.id);
      if (shared.signal.aborted && again) again = new Date();
    } else again = undefined;
  } finally {
    await queue.finish(db.pool, received, again).catch(() => undefined);
    // The job may have been resumed between the look at its state and the end of the message.
    if (isPaused) await parts.requeue(received.job).catch(() => undefined);
  }
}

/** Tells the end of a job, once. */
async function tellEnd({ db, options }: Parts, { gates, onJob }: Shared, id: string): Promise<void> {
  const job = await readJob(db, id, options.definitions).catch(() => undefined);
  if (!job || 'difference' in job || !gates.has(id)) return;
  if (job.state !== 'finished' && job.state !== 'cancelled') return;
  gates.delete(id);
  onJob(job.name, job.state);
}
