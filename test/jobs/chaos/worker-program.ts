/**
 * A worker in a process of its own, for tests that kill and pause it. Its argument is JSON: where the database and the service are. It
 * prints `loaded`, and begins when it reads a line.
 */
import { once } from 'node:events';
import { openJobs } from '../../../src/jobs/index.ts';
import { chaosJob } from './definition.ts';

export interface WorkerSettings {
  database: string;
  service: string;
  deadline: number;
  concurrency: number;
  rate?: number;
  /** The process stops itself (SIGSTOP) between the commit and the request, at this request that writes. */
  stopAt?: number;
}

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const { database, service, deadline, concurrency, rate, stopAt } = settings;
console.log('loaded');
await once(process.stdin, 'data');
process.stdin.unref();
let writes = 0;
const job = chaosJob(deadline, { ...(rate !== undefined && { rate }) }, (key) => console.log(`answered ${key}`));
const jobs = await openJobs({
  database,
  definitions: [job],
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
