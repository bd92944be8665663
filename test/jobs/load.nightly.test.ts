import type pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';
import { connect, open, tagJob } from './tag-job.ts';
import { useUsualIntervals } from './usual-intervals.ts';

// How many transactions workers cause with their usual intervals, over seconds of real time.

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);

async function commitsOf(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()');
  return Number(rows[0].xact_commit);
}

aTest(`a worker has at most five connections, and an idle one makes few transactions${skipped}`, async () => {
  useUsualIntervals();
  const database = await createDatabase(inject('postgresPort'));
  const { jobs } = await open(tagJob(), { database });
  const sql = await connect(database);
  const stop = new AbortController();
  const others = await Promise.all(Array.from({ length: 3 }, () => open(tagJob(), { database })));
  const works = [jobs, ...others.map((each) => each.jobs)].map((each) => each.work({ signal: stop.signal }));
  let most = 0;
  const count = async (): Promise<number> => {
    const { rows } = await sql.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'carillon jobs' AND datname = current_database()`,
    );
    most = Math.max(most, rows[0].count);
    return rows[0].count;
  };
  await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(8), { timeout: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const [before, begun] = [await commitsOf(sql), performance.now()];
  for (let second = 0; second < 12; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await count();
  }
  // Without those of this test.
  const perWorker = ((await commitsOf(sql)) - before - 2 * 12) / ((performance.now() - begun) / 1_000) / 4;
  console.log(`idle: ${perWorker.toFixed(1)} transactions a second and worker, at most ${most / 4} connections`);
  expect(most).toBeLessThanOrEqual(4 * 5);
  // 4 to 5 on a quiet machine. Postgres counts its own vacuum too, and reports late. Without growing waits, it was 15.
  expect(perWorker).toBeLessThan(8);
  stop.abort();
  await Promise.all(works);
});

aTest(`a limit of rows in flight does not poll the database${skipped}`, async () => {
  useUsualIntervals();
  const sandbox = createSandbox();
  let busy = 0;
  let most = 0;
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    if (request.method !== 'POST') return sandbox.fetch(request);
    busy += 1;
    most = Math.max(most, busy);
    await new Promise((resolve) => setTimeout(resolve, 100));
    busy -= 1;
    return sandbox.fetch(request);
  };
  const job = tagJob({ deadline: 60_000 });
  const database = await createDatabase(inject('postgresPort'));
  const openOne = async () => {
    const client = { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch };
    const jobs = await openJobs({ database, definitions: [job], client, folder: temporaryFolder() });
    onTestFinished(() => jobs.close());
    return jobs;
  };
  const [jobs, other] = [await openOne(), await openOne()];
  const options = Array.from({ length: 60 }, (_, index) => `tag ${index}`);
  await jobs.plan(job, { options, concurrency: 1 });
  const sql = await connect(database);
  const before = await commitsOf(sql);
  await Promise.all([jobs, other].map((each) => each.work({ until: 'tags' })));
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 60 } });
  expect(most).toBe(1);
  await Promise.all([jobs.close(), other.close()]);
  const after = await vi.waitFor(
    async () => {
      const now = await commitsOf(sql);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await commitsOf(sql)).toBeLessThanOrEqual(now + 2);
      return now;
    },
    { timeout: 20_000, interval: 20 },
  );
  console.log(`commits per row: ${((after - before) / 60).toFixed(1)}`);
  expect((after - before) / 60).toBeLessThan(8);
});
