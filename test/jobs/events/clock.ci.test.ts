import { expect, inject, test } from 'vitest';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { expectEnd, expectOnce, isFinished, setStage } from './events.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const hour = 3_600_000;

test.skipIf(missingPostgres)(
  `workers with clocks an hour ahead and an hour behind finish a job with lost responses as usual${skipped}`,
  { timeout: 300_000 },
  async () => {
    const rows = 150;
    const deadline = 1_000;
    const stage = await setStage({
      database: await createDatabase(inject('postgresPort')),
      rows,
      deadline,
      loss: 0.1,
    });
    const workers = await Promise.all([stage.start({ clock: hour }), stage.start({ clock: -hour })]);
    await isFinished(stage);
    expect(stage.service.lost()).toBeGreaterThan(0);
    await expectOnce(stage, rows);
    for (const worker of workers) {
      expect(worker.requests).toBeGreaterThan(0);
      await expectEnd(worker, deadline);
    }
  },
);
