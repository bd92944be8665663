import { type JobStatus, openJobs } from '../../../src/jobs/index.ts';
import { startWorker, type Worker } from './crew.ts';
import { chaosJob, emailEvery } from './definition.ts';
import { Killer } from './killer.ts';
import { type Pause, pauseOne } from './quiet-phase.ts';
import type { Service } from './service.ts';
import { Team } from './team.ts';

export interface Chaos {
  database: string;
  service: Service;
  rows: number;
  workers: number;
  /** Rows in flight per worker. */
  concurrency: number;
  deadline: number;
  /** Folder of the workers' attempts files. */
  folder: string;
  /** Kills a worker each time this number of milliseconds has passed. */
  killInterval: number;
  /** Duration in milliseconds of a single pause of a worker, without kills, after a quarter of the rows. */
  pause: number;
  /** Crashes the database. Runs once, after two thirds of the rows. */
  crash: () => Promise<void>;
}

/** Outcome of a run. */
export interface Result {
  status: JobStatus;
  kills: number;
  /** Kills per second until all rows were sent, without the pause. */
  killsPerSecond: number;
  lostReplies: number;
  pause: Pause | undefined;
  /** Rows without a contact, or without an email that is not listed as a problem. */
  missing: string[];
  /** Markers and subjects that were created more than once. */
  doubles: string[];
  unknown: string[];
  /** Unknown rows whose reply reached a worker that was not killed then. */
  wronglyUnknown: string[];
  seconds: number;
}

/** Runs a job while workers die. */
export async function runChaos(chaos: Chaos): Promise<Result> {
  const { database, service, rows, deadline, concurrency } = chaos;
  const job = chaosJob(deadline);
  const client = { baseUrl: service.url, auth: { apiKey: 'any' } };
  const jobs = await openJobs({ database, definitions: [job], client, logger: { warn: () => undefined } });
  const { folder } = chaos;
  const team = new Team(chaos.workers, () =>
    startWorker({ database, service: service.url, deadline, concurrency, folder, stopIn: 'middleware' }),
  );
  const killer = new Killer(team, chaos.killInterval);
  try {
    await jobs.plan(job, { options: { rows } });
    await team.begin();
    const begun = Date.now();
    killer.start();
    let crashedAt = 0;
    let pause: Pause | undefined;
    /** Time when all rows were sent. Later, workers only wait for lookups. */
    let allSent: number | undefined;
    let status = await jobs.status(job.name);
    while (status.state !== 'finished') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      // The database may be down.
      status = await jobs.status(job.name).catch(() => status);
      const { done, planned } = status.rows;
      if (planned === 0) allSent ??= performance.now();
      if (!pause && done > rows / 4) {
        killer.stop();
        pause = await pauseOne(team, { database, job: job.name, milliseconds: chaos.pause, deadline });
        killer.start();
      }
      if (crashedAt === 0 && done > (rows * 2) / 3) {
        await chaos.crash();
        crashedAt = Date.now();
      }
      team.replaceFailed();
    }
    killer.stop(allSent);
    const seconds = (Date.now() - begun) / 1_000;
    const unknown: string[] = [];
    for await (const { key, state } of jobs.problems(job.name)) if (state === 'unknown') unknown.push(key);
    return {
      ...{ status, kills: team.kills, lostReplies: service.lost(), pause, unknown, seconds },
      killsPerSecond: killer.phase.kills / (killer.phase.milliseconds / 1_000),
      ...inspect(chaos, team.all, unknown, crashedAt),
    };
  } finally {
    killer.stop();
    await team.end();
    await jobs.close();
  }
}

/** Compares the records in the service with the journal. */
function inspect({ rows, service }: Chaos, workers: readonly Worker[], unknown: readonly string[], crashedAt: number) {
  const created = service.created();
  const markers = [...created.keys()].filter((key) => !key.startsWith('row-'));
  const missing = markers.length === rows ? [] : [`${rows - markers.length} contacts`];
  for (let row = 0; row < rows; row += emailEvery) {
    const key = `row-${row}`;
    if (!created.has(key) && !unknown.includes(key)) missing.push(key);
  }
  const doubles = [...created].filter(([, count]) => count > 1).map(([key]) => key);
  const wronglyUnknown = unknown.filter((key) =>
    workers.some(({ answered, killedAt = Number.POSITIVE_INFINITY }) => {
      const at = answered.get(key);
      const wasCrash = at !== undefined && Math.abs(at - crashedAt) < 10_000;
      return at !== undefined && killedAt - at > 2_000 && !wasCrash;
    }),
  );
  return { missing, doubles, wronglyUnknown };
}
