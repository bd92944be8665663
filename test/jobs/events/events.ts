import { once } from 'node:events';
import { expect, onTestFinished, vi } from 'vitest';
import { type Jobs, openJobs } from '../../../src/jobs/index.ts';
import { hasEnded, kill, startWorker, type Worker } from '../chaos/crew.ts';
import { chaosJob, emailEvery } from '../chaos/definition.ts';
import { type Service, startService } from '../chaos/service.ts';
import type { WorkerSettings } from '../chaos/worker-program.ts';
import { temporaryFolder } from '../store/stores.ts';

/** Most milliseconds to wait for an event. */
export const patience = { timeout: 150_000, interval: 50 };

export interface Stage {
  readonly jobs: Jobs;
  readonly service: Service;
  readonly folder: string;
  /** Settings shared by all workers of this stage. */
  readonly settings: WorkerSettings;
  /** Starts a worker that waits for `begin`. */
  load(changes?: Partial<WorkerSettings>): Promise<Worker>;
  /** Starts a worker that begins at once. */
  start(changes?: Partial<WorkerSettings>): Promise<Worker>;
}

/** A planned job of contacts and emails, a service, and workers in their own processes. */
export async function setStage({
  database,
  rows,
  deadline = 1_000,
  delay = 5,
  loss = 0,
  concurrency = 5,
  limit,
}: {
  /** Without it, the jobs are in a folder. */
  database?: string | undefined;
  rows: number;
  deadline?: number;
  delay?: number;
  loss?: number;
  concurrency?: number;
  /** Limit of rows in flight across machines. */
  limit?: number;
}): Promise<Stage> {
  const service = await startService({ loss, delay });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const job = chaosJob(deadline);
  const jobs = await openJobs({
    ...(database !== undefined && { database }),
    definitions: [job],
    client: { baseUrl: service.url, auth: { apiKey: 'any' } },
    logger: { warn: () => undefined },
    folder,
  });
  onTestFinished(() => jobs.close());
  await jobs.plan(job, { options: { rows }, ...(limit !== undefined && { concurrency: limit }) });
  const settings = { database, service: service.url, deadline, concurrency, folder };
  const load = async (changes: Partial<WorkerSettings> = {}): Promise<Worker> => {
    const worker = startWorker({ ...settings, stays: true, ...changes });
    onTestFinished(() => kill(worker));
    await worker.isLoaded;
    return worker;
  };
  return {
    jobs,
    service,
    folder,
    settings,
    load,
    async start(changes) {
      const worker = await load(changes);
      worker.begin();
      return worker;
    },
  };
}

/** Resolves when the service has received this many requests. */
export async function hasSent({ service }: Stage, requests: number): Promise<void> {
  await vi.waitFor(() => expect(service.times.length).toBeGreaterThanOrEqual(requests), patience);
}

/** Resolves when the job is finished. */
export async function isFinished({ jobs }: Stage): Promise<void> {
  await vi
    .waitFor(
      async () => expect(await jobs.status('chaos')).toMatchObject({ state: 'finished', rows: { sent: 0 } }),
      patience,
    )
    .catch(async (error: unknown) => {
      console.log((await jobs.status('chaos')).reason);
      throw error;
    });
}

/** Checks that every row was done once or is listed as unknown, and that no row was lost, repeated, refused or wrongly marked done. */
export async function expectOnce({ jobs, service }: Stage, rows: number): Promise<{ unknown: string[] }> {
  const created = service.created();
  expect([...created].filter(([, count]) => count > 1)).toEqual([]);
  const unknown: string[] = [];
  for await (const { key, state, reason } of jobs.problems('chaos')) {
    expect(state, reason).toBe('unknown');
    unknown.push(key);
  }
  const contacts = [...created.keys()].filter((key) => !key.startsWith('row-'));
  const missing: string[] = [];
  for (let row = 0; row < rows; row += emailEvery) {
    const key = `row-${row}`;
    if (!created.has(key) && !unknown.includes(key)) missing.push(key);
  }
  expect(missing).toEqual([]);
  expect(contacts.length).toBeGreaterThanOrEqual(rows - unknown.length);
  const status = await jobs.status('chaos');
  expect(status.rows).toEqual({
    planned: 0,
    sent: 0,
    rejected: 0,
    invalid: 0,
    unknown: unknown.length,
    done: rows - unknown.length,
  });
  return { unknown };
}

/** Checks that SIGTERM ends a worker within the requests' deadline plus five seconds. */
export async function expectEnd(worker: Worker, deadline: number): Promise<void> {
  if (hasEnded(worker)) return;
  const exit = once(worker.process, 'exit');
  const begun = performance.now();
  worker.process.kill('SIGTERM');
  await exit;
  expect(performance.now() - begun).toBeLessThan(deadline + 5_000);
}
