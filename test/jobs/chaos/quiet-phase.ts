import { setTimeout as sleep } from 'node:timers/promises';
import type { Jobs } from '../../../src/jobs/index.ts';
import { isStopped } from './crew.ts';
import type { Killer } from './killer.ts';
import type { Team } from './team.ts';

/** Observations during the pause of a worker. */
export interface Pause {
  seconds: number;
  /** Its rows that no other worker took over while it counted as alive. */
  held: number;
  /** Rows that others completed during the pause. */
  others: number;
  /** Planned rows at the end of the pause. */
  left: number;
}

/** Requests per second during the pause, to leave rows for later. */
const rate = 20;

/**
 * Stops a worker between the commit and the request of a row, and continues it later. Kills no worker in the meantime. Resolves when the
 * worker has sent more rows.
 */
export async function pauseOne(
  team: Team,
  killer: Killer,
  jobs: Jobs,
  job: string,
  milliseconds: number,
): Promise<Pause> {
  killer.stop();
  await jobs.set(job, { rate });
  const worker = team.spare();
  worker.pause();
  await isStopped(worker);
  const stopped = performance.now();
  const before = (await jobs.status(job)).rows.done;
  // On Postgres, others declare it dead after half a minute of silence.
  await sleep(milliseconds / 3);
  const held = (await jobs.workers()).find(({ process }) => process === worker.process.pid)?.rows ?? 0;
  await sleep((milliseconds * 2) / 3);
  const { done, planned: left } = (await jobs.status(job)).rows;
  const { requests } = worker;
  worker.process.kill('SIGCONT');
  const seconds = (performance.now() - stopped) / 1_000;
  await jobs.set(job, { rate: null });
  killer.start();
  while (worker.requests < requests + 20) await sleep(20);
  return { seconds, held, others: done - before, left };
}
