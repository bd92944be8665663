import { expect, onTestFinished, test, vi } from 'vitest';
import { createDatabase, missingPostgres, startPostgres } from '../start-postgres.ts';
import { temporaryFolder } from '../store/stores.ts';
import { expectEnd, expectOnce, hasSent, isFinished, patience, setStage } from './events.ts';
import { startProxy } from './proxy.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const rows = 300;
const deadline = 5_000;

test.skipIf(missingPostgres)(
  `after a failover that loses commits, the job pauses, and sends no request twice after the answer${skipped}`,
  { timeout: 300_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const direct = await createDatabase(postgres.port);
    const replica = await postgres.replicate();
    const proxy = await startProxy(postgres.port);
    onTestFinished(() => proxy.close());
    const database = direct.replace(`:${postgres.port}/`, `:${proxy.port}/`);
    const stage = await setStage({ database, rows, deadline, delay: 50 });
    const workers = [await stage.start(), await stage.start({ folder: temporaryFolder() })];
    await hasSent(stage, 20);
    await replica.isCurrent();
    await replica.lag();
    // The replica does not receive the claims from now on.
    await hasSent(stage, stage.service.times.length + 60);
    await replica.failOver();
    proxy.switchTo(replica.port);
    const paused = await vi.waitFor(async () => {
      const status = await stage.jobs.status('chaos');
      expect(status.state).toBe('paused');
      return status;
    }, patience);
    expect(paused.reason).toMatch(/^The job last ran elsewhere: the database has failed over/);
    await expect(stage.jobs.resume('chaos')).rejects.toThrow('Specify which planned rows may have been sent');
    const sent = [...stage.service.created().values()];
    expect(sent.every((count) => count === 1)).toBe(true);
    await stage.jobs.resume('chaos', { sent: 'all' });
    await isFinished(stage);
    await expectOnce(stage, rows);
    // Only emails cannot be looked up.
    const unclear: string[] = [];
    for await (const { key, reason } of stage.jobs.problems('chaos'))
      if (Number(key.slice(4)) % 10 !== 0) unclear.push(`${key}: ${reason}`);
    expect(unclear).toEqual([]);
    for (const worker of workers) await expectEnd(worker, deadline);
  },
);
