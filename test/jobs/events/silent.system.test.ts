import { readdir } from 'node:fs/promises';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { expectEnd, expectOnce, hasSent, isFinished, patience, setStage } from './events.ts';
import { startProxy } from './proxy.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 1_000;
const isNightly = process.env.CHAOS_ROWS !== undefined;

/** A stage, and the address of its database behind a proxy. */
async function setProxiedStage(rows: number) {
  const port = inject('postgresPort');
  const database = await createDatabase(port);
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  const stage = await setStage({ database, rows, deadline, delay: 20 });
  return { stage, proxy, proxied: database.replace(`:${port}/`, `:${proxy.port}/`) };
}

test.skipIf(missingPostgres || !isNightly)(
  `the chunks of a worker whose packets are dropped go to another one, and it works again when they are not${skipped}`,
  { timeout: 120_000 },
  async () => {
    const rows = 60;
    const { stage, proxy, proxied } = await setProxiedStage(rows);
    const cut = await stage.start({ database: proxied });
    await hasSent(stage, 10);
    const other = await stage.start();
    proxy.silence(true);
    const silent = performance.now();
    await vi.waitFor(() => expect(other.requests).toBeGreaterThan(0), patience);
    expect(performance.now() - silent).toBeLessThan(15_000);
    // Behind the proxy, the sessions of the worker live until others end them.
    await isFinished(stage);
    await expectOnce(stage, rows);
    proxy.silence(false);
    await vi.waitFor(async () => {
      const workers = await stage.jobs.workers();
      expect(workers.filter(({ state }) => state === 'working')).toHaveLength(2);
    }, patience);
    for (const worker of [cut, other]) await expectEnd(worker, deadline);
  },
);

test.skipIf(missingPostgres)(
  `SIGTERM ends a worker in time although Postgres is silent, and the next start writes the outcomes that it knew${skipped}`,
  { timeout: 60_000 },
  async () => {
    const rows = 40;
    const { stage, proxy, proxied } = await setProxiedStage(rows);
    const worker = await stage.start({ database: proxied });
    await hasSent(stage, 10);
    proxy.silence(true);
    const sent = stage.service.times.length;
    // Requests that had been marked still leave, and their replies come.
    await vi.waitFor(() => expect(stage.service.created().size).toBeGreaterThanOrEqual(sent - 2), patience);
    await expectEnd(worker, deadline);
    expect(worker.errors).toMatch(/could not write \d+ outcomes to the database\. They are in \S+worker-1\.sqlite/);
    expect((await readdir(stage.folder)).filter((name) => name.endsWith('worker-1.sqlite'))).toHaveLength(1);
    const next = await stage.start();
    await vi.waitFor(() => expect(next.errors).toMatch(/restored \d+ rows that this machine had sent/), patience);
    await isFinished(stage);
    const { unknown } = await expectOnce(stage, rows);
    // Its outcome was known, so no email is unknown.
    expect(unknown).toEqual([]);
    await expectEnd(next, deadline);
  },
);
