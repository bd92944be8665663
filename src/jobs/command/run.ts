import { basename, extname } from 'node:path';
import { JobsError } from '../jobs-error.ts';
import type { JobStatus, Jobs } from '../types.ts';
import { adviceForCancelled } from './advice.ts';
import { positive } from './arguments.ts';
import { readClient, requireTerminal } from './environment.ts';
import { refuseOldExport, writeExport } from './export-file.ts';
import { feedBack } from './feed-back.ts';
import { type Chosen, choose } from './kinds.ts';
import { describePlan } from './plan-text.ts';
import { Progress } from './progress.ts';
import type { RunOptions } from './run-options.ts';
import { withJobs, withSignal } from './session.ts';
import { checkTableName } from './table-file.ts';

const lookMilliseconds = 1_000;

/** `carillon-jobs run`. Resolves to the exit code: 1 if rows are refused or unknown, or the job has not ended. */
export async function run(options: RunOptions, [kind = '', file = '']: string[]): Promise<number> {
  const chosen = await choose(kind, file, options);
  const { name = basename(file, extname(file)), repair } = options;
  const concurrency = positive(options.concurrency, 'concurrency');
  const rate = positive(options.rate, 'rate', false);
  if (chosen.exports) await checkTableName(file);
  if (!chosen.exports && !options.plan) requireTerminal(process.env);
  const client = await readClient(process.env);
  return withJobs(client, async (jobs) => {
    const before = await find(jobs, name);
    const planned = await chosen.plan(jobs, { name, ...(rate !== undefined && { rate }) });
    if (before && chosen.exports) await refuseOldExport(before, file);
    console.log(describePlan(planned, before !== undefined));
    if (before && rate !== undefined && planned.rate !== rate)
      console.log(
        `Its rate stays ${planned.rate ?? 'without a limit'}. Change it with: carillon-jobs set ${name} --rate ${rate}`,
      );
    if (repair !== undefined) {
      if (!chosen.repair) throw new JobsError(`${kind} has nothing to repair: run it again under another name.`);
      console.log(await feedBack(jobs, name, repair, chosen.repair, client));
    }
    if (options.plan) return 0;
    await withSignal((signal) => workWithProgress(jobs, name, concurrency, signal));
    return finish(jobs, await jobs.status(name), chosen, file);
  });
}

/** Returns the job if it already exists. `plan` reports other errors. */
async function find(jobs: Jobs, name: string): Promise<JobStatus | undefined> {
  return jobs.status(name).catch(() => undefined);
}

async function workWithProgress(jobs: Jobs, name: string, concurrency: number | undefined, signal: AbortSignal) {
  const progress = new Progress(process.stdout);
  let isLooking = false;
  const look = async (): Promise<void> => {
    // Skip the query if the previous one is still pending. `work` reports an unreachable database.
    if (isLooking) return;
    isLooking = true;
    await jobs.status(name).then(
      (status) => progress.show(status, performance.now()),
      () => undefined,
    );
    isLooking = false;
  };
  const timer = setInterval(() => void look(), lookMilliseconds);
  try {
    await jobs.work({ until: name, signal, ...(concurrency !== undefined && { concurrency }) });
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

async function finish(jobs: Jobs, status: JobStatus, { exports }: Chosen, file: string): Promise<number> {
  const { name, state, rows, reason } = status;
  const counts = `${rows.done.toLocaleString('en')} done, ${rows.refused} refused, ${rows.unknown} unknown`;
  const left = rows.planned + rows.sent;
  console.log(`${name}: ${state}. ${counts}${left > 0 ? `, ${left} planned or sent` : ''}.`);
  if (reason) console.log(reason);
  if (state === 'running') console.log('Run the same command again to continue.');
  if (state === 'cancelled') console.log(adviceForCancelled(status));
  if (state === 'paused') console.log(`Continue with: carillon-jobs resume ${name}`);
  if (state === 'finished' && exports) return writeExport(jobs, name, exports, file);
  if (rows.refused + rows.unknown > 0) console.log(`See them with: carillon-jobs problems ${name}`);
  return state === 'finished' && rows.refused + rows.unknown === 0 ? 0 : 1;
}
