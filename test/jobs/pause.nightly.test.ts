import events from 'node:events';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../src/jobs/journal/database.ts';
import { Queue } from '../../src/jobs/work/queue.ts';
import { isStopped, kill, startWorker } from './chaos/crew.ts';
import { openChaosJob } from './chaos/open-chaos-job.ts';
import { missingPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const deadline = 1_000;

/**
 * Stops a worker between the commit and the request, and gives its chunk to another worker. The first one continues after the other
 * has sent everything that it may send.
 */
async function pauseWorker({ hasLock, milliseconds = 0 }: { hasLock: boolean; milliseconds?: number }) {
  const { database, service, job, jobs } = await openChaosJob(inject('postgresPort'), deadline);
  const sql = new pg.Client(database);
  await sql.connect();
  onTestFinished(() => sql.end());
  if (!hasLock) {
    await sql.query(
      `CREATE OR REPLACE FUNCTION carillon_jobs.is_gone(worker int) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
    );
  }
  await jobs.plan(job, { options: { rows: 9 } });
  const paused = startWorker({
    database,
    service: service.url,
    deadline,
    concurrency: 1,
    stopAt: 4,
    folder: temporaryFolder(),
  });
  onTestFinished(() => kill(paused));
  await paused.isLoaded;
  paused.begin();
  await isStopped(paused);

  const message = async (): Promise<{ id: string; name: string; retryCount: number }> =>
    (await sql.query('SELECT id, name, retry_count AS "retryCount" FROM carillon_jobs_queue.job')).rows[0];
  const { id, name, retryCount } = await message();
  const db = await openDatabase({ database });
  const queue = await Queue.open(db, { onError: () => undefined, mayMigrate: false });
  await queue.giveBack({ queue: name, attempt: { id, retryCount }, job: '1', chunk: 0 }, 0);
  await queue.close();
  await db.close();
  const end = new AbortController();
  const work = jobs.work({ until: job.name, signal: end.signal });
  // Wait until the other worker has checked the paused worker's row after its deadline.
  await vi.waitFor(
    async () => {
      const { rows } = await sql.query(`SELECT count(*)::int AS open FROM carillon_jobs.rows WHERE state <> 'done'`);
      expect(rows[0].open === 0 || (await message()).retryCount >= retryCount + 4).toBe(true);
    },
    { timeout: 40_000, interval: 50 },
  );
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const ended = events.once(paused.process, 'exit');
  const continued = Date.now();
  paused.process.kill('SIGCONT');
  await Promise.all([work, ended]);
  const doubles = [...service.created().values()].filter((count) => count > 1);
  return { doubles, lookedUpAfter: Math.min(...service.lookups) - continued };
}

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

test.skipIf(missingPostgres).each([0, 60_000])(
  `sends no request twice if a worker continues %i ms after another took its chunk${skipped}`,
  { timeout: 150_000 },
  async (milliseconds) => {
    const { doubles, lookedUpAfter } = await pauseWorker({ hasLock: true, milliseconds });
    expect(doubles).toEqual([]);
    // The request was sent on continuing, so the lookup waits from then on. A longer pause ends the worker's session.
    if (milliseconds === 0) expect(lookedUpAfter).toBeGreaterThanOrEqual(deadline);
  },
);

test.skipIf(missingPostgres)(
  `the same pause sends twice without the session lock, so the test above can fail${skipped}`,
  { timeout: 150_000 },
  async () => {
    // Without the lock, a pause beyond the request's deadline would prevent a second send.
    expect(await pauseWorker({ hasLock: false })).toMatchObject({ doubles: [2] });
  },
);
