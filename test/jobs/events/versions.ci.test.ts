import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../../src/jobs/index.ts';
import { hasEnded } from '../chaos/crew.ts';
import { chaosJob } from '../chaos/definition.ts';
import { createDatabase, missingPostgres } from '../start-postgres.ts';
import { expectEnd, isFinished, patience, setStage } from './events.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const deadline = 1_000;

test.skipIf(missingPostgres)(
  `each worker does the jobs of its version, reports the others, and does none for another service${skipped}`,
  { timeout: 60_000 },
  async () => {
    const rows = 40;
    const database = await createDatabase(inject('postgresPort'));
    const stage = await setStage({ database, rows, deadline });
    const plan = async (name: string, version: number, baseUrl: string): Promise<void> => {
      const job = chaosJob(deadline, { version });
      const jobs = await openJobs({
        ...{ database, definitions: [job], folder: stage.folder },
        client: { baseUrl, auth: { apiKey: 'any' } },
        logger: { warn: () => undefined },
      });
      await jobs.plan(job, { name, options: { rows } });
      await jobs.close();
    };
    await plan('next', 2, stage.service.url);
    await plan('elsewhere', 1, 'http://127.0.0.1:9');
    const old = await stage.start();
    await isFinished(stage);
    expect(await stage.jobs.status('next')).toMatchObject({ state: 'running', workers: 0, rows: { planned: rows } });
    await vi.waitFor(() => expect(old.errors).toContain('The job elsewhere is not for this program'), patience);
    expect(old.errors).toContain('The job next is not for this program. It was planned with chaos, version 2');
    const recent = await stage.start({ version: 2 });
    onTestFinished(() => void recent.process.kill());
    await vi.waitFor(
      async () => expect(await stage.jobs.status('next')).toMatchObject({ state: 'finished' }),
      patience,
    );
    expect(await stage.jobs.status('elsewhere')).toMatchObject({ state: 'running', rows: { planned: rows, sent: 0 } });
    expect([old, recent].map(hasEnded)).toEqual([false, false]);
    // Each version creates each of its contacts once.
    expect([...stage.service.created()].filter(([key, count]) => key.length === 36 && count > 1)).toEqual([]);
    expect([...stage.service.created().keys()].filter((key) => key.length === 36)).toHaveLength(2 * rows);
    for (const worker of [old, recent]) await expectEnd(worker, deadline);
  },
);
