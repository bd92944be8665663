import { existsSync } from 'node:fs';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { expectEnd, expectOnce, hasSent, isFinished, patience, setStage } from './events.ts';
import { startProxy } from './proxy.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 1_000;

/** Sets a stage with a proxy before its database. `proxied` is the proxy's address. */
async function setProxiedStage(rows: number) {
  const port = inject('postgresPort');
  const database = await createDatabase(port);
  const proxy = await startProxy(port);
  onTestFinished(() => proxy.close());
  const stage = await setStage({ database, rows, deadline, delay: 20 });
  return { stage, proxy, proxied: database.replace(`:${port}/`, `:${proxy.port}/`) };
}

test.skipIf(missingPostgres)(
  `another worker takes the rows of one with dropped packets, which works again when they flow${skipped}`,
  { timeout: 300_000 },
  async () => {
    // More than the first worker claims before the other has started.
    const rows = 600;
    const { stage, proxy, proxied } = await setProxiedStage(rows);
    const cut = await stage.start({ database: proxied });
    await hasSent(stage, 10);
    const other = await stage.start();
    proxy.silence(true);
    const silent = performance.now();
    await vi.waitFor(() => expect(other.requests).toBeGreaterThan(0), patience);
    expect(performance.now() - silent).toBeLessThan(15_000);
    // The proxied worker's sessions live until other workers end them.
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
  `SIGTERM ends a worker in time if Postgres is silent, and the next start writes its known outcomes${skipped}`,
  { timeout: 300_000 },
  async () => {
    const rows = 40;
    const { stage, proxy, proxied } = await setProxiedStage(rows);
    const worker = await stage.start({ database: proxied });
    await hasSent(stage, 10);
    proxy.silence(true);
    const sent = stage.service.times.length;
    // Marked requests still leave, and their responses arrive.
    await vi.waitFor(() => expect(stage.service.created().size).toBeGreaterThanOrEqual(sent - 2), patience);
    await expectEnd(worker, deadline);
    const [, log = ''] = /could not write \d+ outcomes\. The outcomes are in (\S+\.log),/.exec(worker.errors) ?? [];
    expect(existsSync(log), worker.errors).toBe(true);
    const next = await stage.start();
    await vi.waitFor(() => expect(existsSync(log)).toBe(false), patience);
    await isFinished(stage);
    const { unknown } = await expectOnce(stage, rows);
    // The outcomes were known, so no email is unknown.
    expect(unknown).toEqual([]);
    await expectEnd(next, deadline);
  },
);
