import { type JobStatus, openJobs } from '../../../src/jobs/index.ts';
import { dismiss, kill, startWorker, type Worker } from './crew.ts';
import { chaosJob, emailEvery } from './definition.ts';
import type { Service } from './service.ts';

export interface Chaos {
  database: string;
  service: Service;
  rows: number;
  workers: number;
  /** Rows in flight of each worker. */
  concurrency: number;
  deadline: number;
  /** When a worker is killed: each time this number of rows is completed, or this time has passed. */
  kill: { rows: number } | { milliseconds: number };
  /** Runs once, when a third of the rows is completed: crashes the database. */
  crash?: () => Promise<void>;
}

/** What the run shows. */
export interface Result {
  status: JobStatus;
  kills: number;
  lostReplies: number;
  /** Rows without a contact, or without an email that no problem lists. */
  missing: string[];
  /** Markers and subjects that were created more than once. */
  doubles: string[];
  unknown: string[];
  /** Unknown rows whose reply a worker received that was not killed then. */
  wronglyUnknown: string[];
  seconds: number;
}

/** Runs a job while workers die. */
export async function runChaos(chaos: Chaos): Promise<Result> {
  const { database, service, rows, deadline, concurrency } = chaos;
  const job = chaosJob(deadline);
  const client = { baseUrl: service.url, auth: { apiKey: 'any' } };
  const jobs = await openJobs({ database, definitions: [job], client, logger: { warn: () => undefined } });
  const start = (): Worker => startWorker({ database, service: service.url, deadline, concurrency });
  // Those in reserve have loaded their modules, so that the number that works is the one asked for.
  const reserve: Worker[] = [];
  const crew: Worker[] = [];
  const all: Worker[] = [];
  const hire = async (): Promise<void> => {
    reserve.push(start());
    const worker = reserve.shift();
    await worker?.isLoaded;
    worker?.begin();
    if (worker) crew.push(worker);
    if (worker) all.push(worker);
  };
  try {
    for (let worker = 0; worker < chaos.workers; worker += 1) reserve.push(start());
    await jobs.plan(job, { options: { rows } });
    const begun = Date.now();
    for (let worker = 0; worker < chaos.workers; worker += 1) await hire();
    let kills = 0;
    let crashedAt = 0;
    let last = { done: 0, at: Date.now() };
    let status = await jobs.status(job.name);
    while (status.state !== 'finished') {
      await new Promise((resolve) => setTimeout(resolve, 100));
      // The database may be down.
      status = await jobs.status(job.name).catch(() => status);
      const { done } = status.rows;
      if (chaos.crash && crashedAt === 0 && done > rows / 3) {
        await chaos.crash();
        crashedAt = Date.now();
      }
      const isDue =
        'rows' in chaos.kill ? done - last.done >= chaos.kill.rows : Date.now() - last.at >= chaos.kill.milliseconds;
      const victim = isDue ? crew.shift() : undefined;
      if (victim) {
        await kill(victim);
        kills += 1;
        last = { done, at: Date.now() };
        await hire();
      }
      const failed = crew.find(({ process, killedAt }) => process.exitCode && killedAt === undefined);
      if (failed && !failed.errors.includes('The database cannot be reached')) {
        throw new Error(`a worker failed: ${failed.errors}`);
      }
      // It began while the database was down, and is started again, as systemd does.
      if (failed) {
        crew.splice(crew.indexOf(failed), 1);
        await hire();
      }
    }
    const seconds = (Date.now() - begun) / 1_000;
    const unknown: string[] = [];
    for await (const { key, state } of jobs.problems(job.name)) if (state === 'unknown') unknown.push(key);
    return { status, kills, lostReplies: service.lost(), unknown, seconds, ...inspect(chaos, all, unknown, crashedAt) };
  } finally {
    await Promise.all([...crew.map(dismiss), ...reserve.map(kill)]);
    await jobs.close();
  }
}

/** Compares what the service has with what the journal says. */
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
