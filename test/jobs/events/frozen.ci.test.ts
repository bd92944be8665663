import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { isStopped } from '../chaos/crew.ts';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { expectEnd, expectOnce, hasSent, isFinished, patience, setStage } from './events.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 1_000;

test.skipIf(missingPostgres)(
  `a stopped worker delays a pause of the job by the five seconds of its locks at most${skipped}`,
  { timeout: 300_000 },
  async () => {
    const stage = await setStage({
      database: await createDatabase(inject('postgresPort')),
      rows: 4_000,
      limit: 4,
    });
    const worker = await stage.start();
    await hasSent(stage, 10);
    for (let round = 0; round < 8; round += 1) {
      await stage.jobs.resume('chaos');
      await hasSent(stage, stage.service.times.length + 5);
      // Stop at a different moment in each round.
      await sleep(round * 3);
      worker.process.kill('SIGSTOP');
      const begun = performance.now();
      await stage.jobs.pause('chaos');
      const milliseconds = performance.now() - begun;
      worker.process.kill('SIGCONT');
      expect(milliseconds).toBeLessThan(10_000);
    }
    await expectEnd(worker, deadline);
  },
);

// The wait for the limit takes half a minute.
test.runIf(isNightly && !missingPostgres)(
  `a worker stopped beyond the silence limit blocks no others, and sends no request twice when it continues${skipped}`,
  { timeout: 300_000 },
  async () => {
    const rows = 60;
    const stage = await setStage({
      database: await createDatabase(inject('postgresPort')),
      rows,
      limit: 3,
      delay: 20,
    });
    const frozen = await stage.start({ stopAt: 5, stopIn: 'middleware', concurrency: 2 });
    onTestFinished(() => void frozen.process.kill('SIGCONT'));
    await isStopped(frozen);
    const other = await stage.start();
    // The other rows are done, although the stopped worker holds slots of the limit until they expire.
    await vi.waitFor(async () => expect((await stage.jobs.status('chaos')).rows.planned).toBe(0), {
      timeout: 40_000,
      interval: 100,
    });
    const silent = await stage.jobs.workers();
    expect(silent.map(({ state }) => state)).toContain('working');
    await isFinished(stage);
    expect((await stage.jobs.workers()).filter(({ state }) => state === 'working')).toHaveLength(1);
    const requests = stage.service.times.length;
    frozen.process.kill('SIGCONT');
    // The worker has checked its mark and the database again.
    await vi.waitFor(async () => {
      expect((await stage.jobs.workers()).filter(({ state }) => state === 'working')).toHaveLength(2);
    }, 20_000);
    expect(stage.service.times.length).toBe(requests);
    // It may know that its email did not leave, which is then sent.
    await vi.waitFor(() => expectOnce(stage, rows), patience);
    for (const worker of [frozen, other]) await expectEnd(worker, deadline);
  },
);
