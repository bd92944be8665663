/**
 * A worker in a process of its own, for tests that kill and pause it. Its argument is JSON: where the database and the service are. It
 * prints `loaded`, begins when it reads `begin`, and prints what it does.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { openJobs } from '../../../src/jobs/index.ts';
import { chaosJob } from './definition.ts';

export interface WorkerSettings {
  database: string;
  service: string;
  deadline: number;
  concurrency: number;
  rate?: number;
  /** The process stops itself (SIGSTOP) between the commit and the request, at this request that writes. After `pause`, at the next. */
  stopAt?: number;
  /** Where it stops: before the worker looks at its mark for the last time, or after that. */
  stopIn?: 'middleware' | 'fetch';
  /** Milliseconds by which its clock is ahead. */
  clock?: number;
  /** It works until it is stopped, and not only until the job is over. */
  stays?: boolean;
  /** Version of its definition. */
  version?: number;
  /** Folder of the attempts' files. */
  folder: string;
}

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const {
  database,
  service,
  deadline,
  concurrency,
  rate,
  stopIn = 'fetch',
  clock = 0,
  version,
  folder,
  stays = false,
} = settings;
if (clock !== 0) shiftClock(clock);
let { stopAt = Number.POSITIVE_INFINITY } = settings;
let writes = 0;

/** Sets the clock of this process, as a wrong clock of a machine does. */
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

async function work(): Promise<void> {
  const changes = { ...(rate !== undefined && { rate }), ...(version !== undefined && { version }) };
  const job = chaosJob(deadline, changes, (key) => console.log(`answered ${key}`));
  const jobs = await openJobs({
    database,
    definitions: [job],
    client: {
      baseUrl: service,
      auth: { apiKey: 'any' },
      // The platform's own, and a place to stop at.
      async fetch(url, init) {
        console.log('request');
        if (stopIn === 'fetch') stopAtRequest(init.method);
        return fetch(url, init);
      },
      middleware: [
        {
          onRequest({ operation }) {
            if (stopIn === 'middleware') stopAtRequest(operation.split(' ')[0]);
          },
        },
      ],
    },
    folder,
    logger: { warn: (text) => console.error(text) },
  });
  const end = new AbortController();
  process.on('SIGTERM', () => end.abort());
  await jobs.work({ concurrency, signal: end.signal, ...(!stays && { until: job.name }) });
  await jobs.close();
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'pause') stopAt = 0;
  else void work().then(() => process.stdin.unref());
});
console.log('loaded');
// A worker that is killed with -9 does not write it.
flushCompileCache();
