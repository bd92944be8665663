import events from 'node:events';
import { createServer } from 'node:net';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { isNightly } from '../support/amounts.ts';
import { isStopped, kill, startWorker } from './chaos/crew.ts';
import { chaosJob } from './chaos/definition.ts';
import { openChaosJob } from './chaos/open-chaos-job.ts';
import { startService } from './chaos/service.ts';
import { createDatabase, missingPostgres, startPostgres } from './start-postgres.ts';
import { temporaryFolder } from './store/stores.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
/** Each kill costs the ten seconds after which others take a worker's rows, so one is enough by day. */
const atNight = test.runIf(isNightly && !missingPostgres);
const patience = { timeout: 30_000, interval: 50 };

/** Listens on the database's port. Resolves after it has refused `count` connections. */
async function refuseConnections(port: number, count: number): Promise<void> {
  let refused = 0;
  const server = createServer((socket) => {
    refused += 1;
    socket.on('error', () => undefined).destroy();
    if (refused === count) server.close();
  }).listen(port, '127.0.0.1');
  await events.once(server, 'close');
}

test.skipIf(missingPostgres)(
  `a worker that loses its database sends nothing until it is back, and then continues${skipped}`,
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const service = await startService({ loss: 0, delay: 5 });
    onTestFinished(() => service.close());
    const warn = vi.fn();
    const job = chaosJob(1_000);
    const jobs = await openJobs({
      database: await createDatabase(postgres.port),
      definitions: [job],
      client: { baseUrl: service.url, auth: { apiKey: 'any' } },
      folder: temporaryFolder(),
      logger: { warn },
    });
    onTestFinished(() => jobs.close());
    await jobs.plan(job, { options: { rows: 40 } });
    const work = jobs.work({ until: job.name, concurrency: 2 });
    await vi.waitFor(() => expect(service.times.length).toBeGreaterThan(9), { ...patience, interval: 1 });
    let sent = 0;
    await postgres.interrupt(async () => {
      await vi.waitFor(
        () => expect(warn.mock.calls.flat().join('\n')).toContain('the connection to the database is lost'),
        patience,
      );
      // The worker is alive and tries to connect again. The requests in flight arrive meanwhile.
      await refuseConnections(postgres.port, 2);
      sent = service.times.length;
      expect(sent).toBeLessThan(40);
      await refuseConnections(postgres.port, 2);
      expect(service.times.length).toBe(sent);
    });
    await work;
    expect(service.times.length).toBeGreaterThan(sent);
    const lines = warn.mock.calls.flat().filter((line) => line.includes('the database'));
    expect(lines.filter((line) => line === 'carillon: the database is back.')).toHaveLength(1);
    const { rows } = await jobs.status(job.name);
    expect(rows.done + rows.unknown).toBe(40);
    expect([...service.created()].filter(([key, count]) => key.length === 36 && count !== 1)).toEqual([]);
    expect([...service.created().keys()].filter((key) => key.length === 36)).toHaveLength(40);
  },
);

/** Kills a worker after it has marked its first row as sent. Returns the jobs, for another worker to continue. */
async function killOne(deadline: number) {
  const { database, service, job, jobs, folder } = await openChaosJob(inject('postgresPort'), deadline);
  await jobs.plan(job, { options: { rows: 9 } });
  const victim = startWorker({
    database,
    service: service.url,
    deadline,
    concurrency: 1,
    stopAt: 1,
    stopIn: 'fetch',
    folder,
  });
  onTestFinished(() => kill(victim));
  await victim.isLoaded;
  victim.begin();
  await isStopped(victim);
  // The worker stopped after it marked the row.
  const sent = Date.now();
  await kill(victim);
  return { jobs, job, database, service, sent, killed: Date.now() };
}

atNight(`continues the planned rows of a killed worker within 15 seconds${skipped}`, async () => {
  // The sent row waits for a deadline beyond the end of this test.
  const { jobs, job, killed } = await killOne(60_000);
  const end = new AbortController();
  const work = jobs.work({ signal: end.signal });
  await vi.waitFor(
    async () => expect((await jobs.status(job.name)).rows).toMatchObject({ done: 8, sent: 1 }),
    patience,
  );
  expect((Date.now() - killed) / 1_000).toBeLessThan(15);
  end.abort();
  await work;
});

test.skipIf(missingPostgres)(
  `looks up the row that a killed worker sent, after the deadline and within 20 seconds of it${skipped}`,
  async () => {
    const deadline = 2_000;
    const { jobs, job, service, sent } = await killOne(deadline);
    await jobs.work({ until: job.name });
    expect(await jobs.status(job.name)).toMatchObject({ rows: { done: 9 } });
    const [lookup = 0, ...others] = service.lookups;
    expect(others).toEqual([]);
    // Postgres and this process share the machine's clock. The worker set the mark just before it stopped.
    expect(lookup - sent).toBeGreaterThan(deadline - 500);
    expect(lookup - sent).toBeLessThan(deadline + 20_000);
  },
);
