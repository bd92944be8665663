import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test, vi } from 'vitest';
import { amounts } from '../support/amounts.ts';
import { dismiss, hasEnded, kill, type Worker } from './chaos/crew.ts';
import { expectOnce, hasSent, isFinished, patience, type Stage, setStage } from './events/events.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';

const places = [
  { name: 'SQLite', isMissing: false, create: async () => undefined },
  { name: 'Postgres', isMissing: missingPostgres !== undefined, create: () => createDatabase(inject('postgresPort')) },
] as const;

/** Kills a worker after some requests were sent, and replaces it, until all spare workers work. */
async function killWorkers(stage: Stage, workers: Worker[], spare: readonly Worker[]): Promise<void> {
  for (const next of spare) {
    await hasSent(stage, stage.service.times.length + 8);
    await sleep(Math.random() * 150);
    const victim = workers.shift();
    if (victim) await kill(victim);
    next.begin();
    workers.push(next);
  }
}

describe.each(places.filter(({ isMissing }) => !isMissing))('jobs on $name', ({ create }) => {
  test.each([1, 2])('kills of one of %i workers neither lose nor repeat a row', { timeout: 300_000 }, async (count) => {
    const kills = amounts.jobKills;
    const rows = 60 + 40 * kills;
    const stage = await setStage({ database: await create(), rows, deadline: 1_000, delay: 200, concurrency: 10 });
    // Load all workers first, so that the rows outlast the kills.
    const spare = await Promise.all(Array.from({ length: kills }, () => stage.load()));
    const workers = await Promise.all(Array.from({ length: count }, () => stage.start()));
    await killWorkers(stage, workers, spare);
    await isFinished(stage);
    const { unknown } = await expectOnce(stage, rows);
    // Only emails cannot be looked up: at most those in flight at each kill.
    expect(unknown.length).toBeLessThanOrEqual(kills * 10);
    await Promise.all(workers.map(dismiss));
    expect(workers.every(hasEnded)).toBe(true);
  });

  test('a worker stopped for longer than others wait sends nothing twice when it continues', {
    timeout: 120_000,
  }, async () => {
    const rows = 400;
    const silence = 2_000;
    const stage = await setStage({ database: await create(), rows, deadline: 1_000, delay: 20, concurrency: 10 });
    const [frozen, other] = [await stage.start({ silence }), await stage.start({ silence })];
    await hasSent(stage, 80);
    frozen.process.kill('SIGSTOP');
    await sleep(silence + 7_000);
    frozen.process.kill('SIGCONT');
    await isFinished(stage);
    // The stopped worker may know that a request did not leave, which is then sent.
    await vi.waitFor(() => expectOnce(stage, rows), patience);
    await Promise.all([frozen, other].map(dismiss));
  });
});
