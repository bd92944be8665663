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
}

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const { database, service, deadline, concurrency, rate } = settings;
let { stopAt = Number.POSITIVE_INFINITY } = settings;
let writes = 0;

async function work(): Promise<void> {
  const job = chaosJob(deadline, { ...(rate !== undefined && { rate }) }, (key) => console.log(`answered ${key}`));
  const jobs = await openJobs({
    database,
    definitions: [job],
    client: {
      baseUrl: service,
      auth: { apiKey: 'any' },
      // The platform's own, and a place to stop at.
      async fetch(url, init) {
        console.log('request');
        if (init.method === 'POST') writes += 1;
        if (init.method === 'POST' && writes >= stopAt) {
          stopAt = Number.POSITIVE_INFINITY;
          process.kill(process.pid, 'SIGSTOP');
        }
        return fetch(url, init);
      },
    },
    logger: { warn: () => undefined },
  });
  const end = new AbortController();
  process.on('SIGTERM', () => end.abort());
  await jobs.work({ until: job.name, concurrency, signal: end.signal });
  await jobs.close();
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'pause') stopAt = 0;
  else void work().then(() => process.stdin.unref());
});
console.log('loaded');
// A worker that is killed with -9 does not write it.
flushCompileCache();
