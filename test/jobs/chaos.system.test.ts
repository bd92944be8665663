import { expect, onTestFinished, test } from 'vitest';
import { once } from '../support/once/once.ts';
import { runChaos } from './chaos/run-chaos.ts';
import { startService } from './chaos/service.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';

test.skipIf(missingPostgres)(
  `workers that are killed and replies that are lost neither double nor lose a row${missingPostgres ? `: ${missingPostgres}` : ''}`,
  async () => {
    const { port } = await once('postgres');
    const service = await startService({ loss: 0.05 });
    onTestFinished(() => service.close());
    const result = await runChaos({
      database: await createDatabase(port),
      service,
      rows: 300,
      workers: 2,
      concurrency: 5,
      deadline: 1_500,
      kill: { rows: 80 },
    });
    expect(result).toMatchObject({ missing: [], doubles: [], wronglyUnknown: [] });
    const { done, unknown } = result.status.rows;
    expect(done + unknown).toBe(300);
    expect(result.kills).toBeGreaterThan(1);
    expect(result.lostReplies).toBeGreaterThan(5);
  },
);
