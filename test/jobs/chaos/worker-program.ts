/**
 * A worker in its own process, for tests that kill and pause it. Its argument is `WorkerSettings` in JSON. It prints `loaded`, begins when
 * it reads `begin`, and prints its progress.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { openJobs } from '../../../src/jobs/index.ts';
import { lifetimes } from '../../../src/jobs/store/postgres.ts';
import { intervals } from '../../../src/jobs/work/intervals.ts';
import { logSize } from '../../../src/jobs/work/send-log.ts';
import { chaosJob, sentAtHeader } from './definition.ts';
import { dieAt, type Moment } from './die-at.ts';

export interface WorkerSettings {
  /** Address of a database, or the folder has the jobs. */
  database?: string | undefined;
  service: string;
  deadline: number;
  concurrency: number;
  rate?: number;
  /** The writing request at which the process stops itself (SIGSTOP), between the commit and the request. `pause` stops the next one. */
  stopAt?: number;
  /** Where the process stops: before the worker's last check of its claim, or after it. Without it, the worker has no `fetch` of its own. */
  stopIn?: 'middleware' | 'fetch';
  /** Milliseconds after which others declare a worker dead. */
  silence?: number;
  /** Milliseconds by which the clock is ahead. */
  clock?: number;
  /** Works until stopped, not only until the job is finished. */
  stays?: boolean;
  /** Version of the definition. */
  version?: number;
  /** Folder of the jobs, or of the logs. */
  folder: string;
  /** Whether the rows have random results, of which some cannot be stored. */
  isPoisoned?: boolean;
  /** Bytes after which a log is written anew. */
  maxLog?: number;
  /** When the process kills itself, and which time it is. */
  death?: { at: Moment; count: number } | undefined;
  /** Plans this many rows, and sends none. */
  plans?: number;
}

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const {
  database,
  service,
  deadline,
  concurrency,
  rate,
  stopIn,
  silence,
  clock = 0,
  version,
  folder,
  stays = false,
  isPoisoned = false,
  maxLog,
  death,
  plans,
} = settings;
if (clock !== 0) shiftClock(clock);
if (silence !== undefined) {
  lifetimes.silence = silence;
  intervals.life = silence / 5;
}
if (maxLog !== undefined) logSize.max = maxLog;
let { stopAt = Number.POSITIVE_INFINITY } = settings;
let writes = 0;

/** Shifts this process's clock, like a wrong system clock. */
function shiftClock(milliseconds: number): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: ConstructorParameters<typeof Date>) {
      // @ts-expect-error: without arguments, it is the time of now
      super(...(given.length === 0 ? [RealDate.now() + milliseconds] : given));
    }
    static override now(): number {
      return RealDate.now() + milliseconds;
    }
  } as DateConstructor;
}

function stopAtRequest(method: string | undefined): void {
  if (method === 'POST') writes += 1;
  if (method !== 'POST' || writes < stopAt) return;
  stopAt = Number.POSITIVE_INFINITY;
  process.kill(process.pid, 'SIGSTOP');
}

// Loaded on demand, because it would take much of a short-lived worker's time.
const resultOf = isPoisoned ? (await import('./poison.ts')).poison : undefined;
if (death) await dieAt(death.at, death.count);

async function work(): Promise<void> {
  const changes = { ...(rate !== undefined && { rate }), ...(version !== undefined && { version }) };
  const job = chaosJob(deadline, changes, (key) => console.log(`answered ${key}`), resultOf);
  const jobs = await openJobs({
    ...(database !== undefined && { database }),
    definitions: [job],
    client: {
      baseUrl: service,
      auth: { apiKey: 'any' },
      // The global fetch, with a place to stop.
      ...(stopIn === 'fetch' && {
        async fetch(url: string, init: RequestInit) {
          stopAtRequest(init.method);
          return fetch(url, init);
        },
      }),
      middleware: [
        {
          onRequest({ operation, headers }) {
            console.log('request');
            if (stopIn === 'middleware') stopAtRequest(operation.split(' ')[0]);
            headers.set(sentAtHeader, String(Date.now()));
          },
        },
      ],
    },
    folder,
    logger: { warn: (text) => console.error(text) },
  });
  const end = new AbortController();
  process.on('SIGTERM', () => end.abort());
  if (plans !== undefined) await jobs.plan(job, { options: { rows: plans } });
  else await jobs.work({ concurrency, signal: end.signal, ...(!stays && { until: job.name }) });
  await jobs.close();
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'pause') stopAt = 0;
  else void work().then(() => process.stdin.unref());
});
console.log('loaded');
// Write the compile cache now, because kill -9 would prevent it at exit.
flushCompileCache();
