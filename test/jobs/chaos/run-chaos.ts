import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobStatus, type Jobs, openJobs } from '../../../src/jobs/index.ts';
import { startWorker, type Worker } from './crew.ts';
import { chaosJob, emailEvery } from './definition.ts';
import type { Moment } from './die-at.ts';
import { Killer } from './killer.ts';
import { type Pause, pauseOne } from './quiet-phase.ts';
import type { Service } from './service.ts';
import { Team } from './team.ts';
import type { WorkerSettings } from './worker-program.ts';

export interface Chaos {
  /** Without it, the jobs are in the folder. */
  database: string | undefined;
  service: Service;
  rows: number;
  workers: number;
  /** Rows in flight per worker. */
  concurrency: number;
  deadline: number;
  /** Folder of the jobs, or of the workers' logs. */
  folder: string;
  /** Kills a worker each time the service has received this number of requests. */
  killEvery: number;
  /** Duration in milliseconds of a single pause of a worker, after a quarter of the rows. */
  pause: number;
  /** Milliseconds for which the service answers with status 500, after half of the rows. */
  outage: number;
  /** Crashes the database. Runs once, after two thirds of the rows. */
  crash: (() => Promise<void>) | undefined;
}

/** Outcome of a run. */
export interface Result {
  status: JobStatus;
  /** Processes that were killed, and those of them that killed themselves at a chosen moment. */
  kills: number;
  selfKills: number;
  plansKilled: number;
  lostResponses: number;
  lookups: number;
  /** Longest way in milliseconds from a worker to a processed request. */
  longestWay: number;
  /** Most rows in doubt at a time. */
  inDoubt: number;
  pause: Pause | undefined;
  /** Rows without a contact, or without an email that is not listed as a problem. */
  missing: string[];
  /** Markers and subjects that were created more than once. */
  doubles: string[];
  unknown: string[];
  /** Unknown rows whose response reached a worker that was not killed then. */
  wronglyUnknown: string[];
  seconds: number;
}

/** The insert of a plan at which one process each kills itself. */
const plansKilledAt = [1, 3, 6];

/** Moments at which every third worker kills itself, in turn. */
const moments: readonly Moment[] = ['settle', 'settled', 'recovery', 'rewriting'];

/** Size at which logs are written anew, so that this happens all the time. */
const maxLog = 2_000;

/** Runs a job while workers die. */
export async function runChaos(chaos: Chaos): Promise<Result> {
  const { database, service, rows, deadline, concurrency, folder } = chaos;
  const job = chaosJob(deadline);
  const jobs = await openJobs({
    ...(database !== undefined && { database }),
    definitions: [job],
    client: { baseUrl: service.url, auth: { apiKey: 'any' } },
    folder,
    logger: { warn: () => undefined },
  });
  const settings: WorkerSettings = { database, service: service.url, deadline, concurrency, folder, maxLog };
  let started = 0;
  const team = new Team(chaos.workers, () => {
    started += 1;
    const at = started % 3 === 0 ? moments[(started / 3) % moments.length] : undefined;
    const death = at && { at, count: 1 + (started % 5) };
    return startWorker({ ...settings, stopIn: 'middleware', isPoisoned: true, death });
  });
  const killer = new Killer(team, () => service.times.length, chaos.killEvery);
  try {
    const plansKilled = await killPlans(settings, rows);
    await jobs.plan(job, { options: { rows } });
    await team.begin();
    const begun = Date.now();
    killer.start();
    const { crashedAt, ...seen } = await watch(chaos, jobs, job.name, team, killer);
    killer.stop();
    const seconds = (Date.now() - begun) / 1_000;
    const unknown: string[] = [];
    for await (const { key, state } of jobs.problems(job.name)) if (state === 'unknown') unknown.push(key);
    return {
      kills: team.kills + plansKilled,
      selfKills: team.selfKills,
      plansKilled,
      ...seen,
      unknown,
      seconds,
      lostResponses: service.lost(),
      lookups: service.lookups.length,
      longestWay: service.longestWay(),
      ...inspect(chaos, team.all, unknown, crashedAt),
    };
  } finally {
    killer.stop();
    await team.end();
    await jobs.close();
  }
}

/** Starts plans that are killed. Returns their number. */
async function killPlans(settings: WorkerSettings, rows: number): Promise<number> {
  let killed = 0;
  for (const count of plansKilledAt) {
    const planner = startWorker({ ...settings, plans: rows, death: { at: 'plan', count } });
    const exit = once(planner.process, 'exit');
    planner.begin();
    const [, signal] = await exit;
    if (signal === 'SIGKILL') killed += 1;
  }
  return killed;
}

/** Follows a run to its end, and does what happens once in it. */
async function watch(chaos: Chaos, jobs: Jobs, name: string, team: Team, killer: Killer) {
  const { rows, service } = chaos;
  let status = await jobs.status(name);
  let inDoubt = 0;
  let crashedAt = 0;
  let pause: Pause | undefined;
  let outage: Promise<void> | undefined;
  while (status.state !== 'finished') {
    await sleep(100);
    // The database may be down.
    status = await jobs.status(name).catch(() => status);
    const { done } = status.rows;
    inDoubt = Math.max(inDoubt, status.lookups?.rows ?? 0);
    if (!pause && done > rows / 4) {
      pause = await pauseOne(team, killer, jobs, name, chaos.pause);
    }
    if (!outage && done > rows / 2) {
      service.fail(true);
      outage = sleep(chaos.outage).then(() => service.fail(false));
    }
    if (chaos.crash && crashedAt === 0 && done > (rows * 2) / 3) {
      await chaos.crash();
      crashedAt = Date.now();
    }
    if (status.state === 'paused') throw new Error(`the job paused: ${status.reason}`);
    team.replaceFailed();
  }
  return { status, inDoubt, crashedAt, pause };
}

/** Compares the records in the service with the jobs. */
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
