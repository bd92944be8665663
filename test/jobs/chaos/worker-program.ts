/**
 * A worker in a process of its own, for tests that kill and pause it. Its argument is JSON: where the database and the service are. It
 * prints `loaded`, and begins when it reads a line.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { openJobs } from '../../../src/jobs/index.ts';
import { askJob, chaosJob } from './definition.ts';

export interface WorkerSettings {
  database: string;
  service: string;
  deadline: number;
  concurrency: number;
  rate?: number;
  /** The process stops itself (SIGSTOP) between the commit and the request, at this request that writes. */
  stopAt?: number;
  /** A file with the time of the quotas, in milliseconds since 1970. The worker then has the job with a documented quota. */
  clock?: string;
}

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const { database, service, deadline, concurrency, rate, stopAt, clock } = settings;
console.log('loaded');
await once(process.stdin, 'data');
process.stdin.unref();
let writes = 0;
const job = clock === undefined ? chaosJob(deadline, { ...(rate !== undefined && { rate }) }) : askJob;
const jobs = await openJobs({
  database,
  definitions: [job],
  ...(clock !== undefined && { now: () => Number(readFileSync(clock, 'utf8')) }),
  client: {
    baseUrl: service,
    auth: { apiKey: 'any' },
    // The platform's own, and a place to stop at.
    ...(stopAt !== undefined && {
      async fetch(url, init) {
        if (init.method === 'POST') writes += 1;
        if (init.method === 'POST' && writes === stopAt) process.kill(process.pid, 'SIGSTOP');
        return fetch(url, init);
      },
    }),
  },
  logger: { warn: () => undefined },
});
const end = new AbortController();
process.on('SIGTERM', () => end.abort());
await jobs.work({ until: job.name, concurrency, signal: end.signal });
await jobs.close();
