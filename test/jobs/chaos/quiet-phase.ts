import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isStopped } from './crew.ts';
import type { Team } from './team.ts';

/** Observations during the pause of a worker. */
export interface Pause {
  seconds: number;
  /** Its rows in flight that no other worker took over while its session lived. */
  held: number;
  /** Rows that others completed during the pause. */
  others: number;
  /** Planned rows at the end of the pause. */
  left: number;
}

/** Requests per second during the pause, to leave rows for later. */
const rate = 20;

/** Stops a worker between the commit and the request of a row, and continues it later. Resolves when the worker has sent more rows. */
export async function pauseOne(
  team: Team,
  { database, job, milliseconds, deadline }: { database: string; job: string; milliseconds: number; deadline: number },
): Promise<Pause> {
  const sql = new pg.Client(database);
  await sql.connect();
  const limit = (value: number | null) =>
    sql.query('UPDATE carillon_jobs.jobs SET rate = $2 WHERE name = $1', [job, value]);
  const count = async (where: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await sql.query(`SELECT count(*)::int FROM carillon_jobs.rows WHERE ${where}`, values);
    return rows[0].count;
  };
  try {
    await limit(rate);
    const worker = team.working.at(0);
    if (!worker) throw new Error('no worker works');
    worker.pause();
    await isStopped(worker);
    const stopped = performance.now();
    const before = await count(`state = 'done'`);
    // Others declare it dead after half a minute of silence.
    await sleep(milliseconds / 3);
    const held = await count(
      `state = 'claimed' AND sent_at < extract(epoch FROM clock_timestamp()) * 1000 - $1 * 1.5`,
      [deadline],
    );
    await sleep((milliseconds * 2) / 3);
    const others = (await count(`state = 'done'`)) - before;
    const left = await count(`state = 'planned'`);
    const { requests } = worker;
    worker.process.kill('SIGCONT');
    const seconds = (performance.now() - stopped) / 1_000;
    team.spared = worker;
    await limit(null);
    while (worker.requests < requests + 20) await sleep(20);
    return { seconds, held, others, left };
  } finally {
    await sql.end();
  }
}
