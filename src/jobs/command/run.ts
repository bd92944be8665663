import { basename, extname } from 'node:path';
import type { FileValues } from '../built-in/file-source.ts';
import { formatRecord } from '../built-in/format-record.ts';
import { JobsError } from '../jobs-error.ts';
import type { JobStatus, Jobs } from '../types.ts';
import { adviceForCancelled } from './advice.ts';
import { applyRepairs } from './apply-repairs.ts';
import { positive, priorityOf, timeOf } from './arguments.ts';
import { readClient, requireTerminal } from './environment.ts';
import { exitCodeOf } from './failure.ts';
import { type ChosenJob, choose } from './kinds.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describePlan } from './plan-text.ts';
import { format, Progress } from './progress.ts';
import type { RunOptions } from './run-options.ts';
import { describePlace, withJobs, withSignal } from './session.ts';
import { checkNewFile, writeTable } from './table-file.ts';

const lookMilliseconds = 1_000;

/** `carillon-jobs run`. Resolves to the exit code: 1 if problems remain or the job has not ended, 4 if the job is paused. */
export async function run(options: RunOptions, [kind = '', file = '']: string[]): Promise<number> {
  const chosen = await choose(kind, file, options);
  const { name = basename(file, extname(file)), repair } = options;
  const concurrency = positive(options.concurrency, 'concurrency');
  const startAt = timeOf(options.startAt, 'start-at');
  const settings = {
    name,
    startAt,
    isSentBefore: options.again,
    rate: positive(options.rate, 'rate', false),
    priority: priorityOf(options.priority),
    retention: positive(options.retention, 'retention', false),
  };
  const isPlanOnly = options.plan || startAt !== undefined;
  if (chosen.exports) await checkNewFile(file);
  if (!chosen.exports && !isPlanOnly) requireTerminal(process.env);
  const client = await readClient(process.env);
  return withJobs(client, async (jobs) => {
    note(options, await describePlace(jobs));
    const before = await find(jobs, name);
    if (before && startAt) throw new JobsError(`The job ${name} already exists, so its start time cannot be changed.`);
    const planned = await chosen.plan(jobs, settings);
    if (isPlanOnly) say(options, planned, describePlan(planned, before !== undefined));
    else note(options, describePlan(planned, before !== undefined));
    if (repair !== undefined) {
      if (!chosen.repair) throw new JobsError(`${kind} has no rows to repair: run the job again under another name.`);
      note(options, await applyRepairs(jobs, name, repair, chosen.repair, client));
    }
    if (isPlanOnly) return 0;
    await withSignal((signal) => workWithProgress(jobs, name, concurrency, signal, options));
    return finish(jobs, await jobs.status(name), chosen, file, options);
  });
}

/** Returns the job if it already exists. `plan` reports other errors. */
async function find(jobs: Jobs, name: string): Promise<JobStatus | undefined> {
  return jobs.status(name).catch(() => undefined);
}

async function workWithProgress(
  jobs: Jobs,
  name: string,
  concurrency: number | undefined,
  signal: AbortSignal,
  { json }: OutputOptions,
) {
  // With `--json`, standard output contains only the result.
  const progress = new Progress(json ? process.stderr : process.stdout);
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
    await jobs.work({ until: name, signal, concurrency });
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

async function finish(
  jobs: Jobs,
  status: JobStatus,
  { exports }: ChosenJob,
  file: string,
  options: OutputOptions,
): Promise<number> {
  const { name, state, rows, reason } = status;
  const counts = `${rows.done.toLocaleString('en')} done, ${rows.rejected} rejected, ${rows.invalid} invalid, ${rows.unknown} unknown`;
  const left = rows.planned + rows.sent;
  say(options, status, `${name}: ${state}. ${counts}${left > 0 ? `, ${left} planned or sent` : ''}.`);
  if (reason) note(options, reason);
  if (state === 'running') note(options, 'Run the same command again to continue.');
  if (state === 'cancelled') note(options, adviceForCancelled(status));
  if (state === 'paused') note(options, `To continue, run carillon-jobs resume ${name}, then this command again`);
  if (state === 'finished' && exports) await writeExport(jobs, name, exports, file, options);
  if (rows.rejected + rows.invalid + rows.unknown > 0)
    note(options, `See the problems with: carillon-jobs problems ${name}`);
  return exitCodeOf(status);
}

/** Writes the records of an export, which are the results of a step. */
async function writeExport(
  jobs: Jobs,
  name: string,
  step: string,
  file: string,
  options: OutputOptions,
): Promise<void> {
  const isCsv = extname(file).toLowerCase() === '.csv';
  async function* records(): AsyncGenerator<FileValues> {
    for await (const { results } of jobs.results(name)) yield formatRecord(results, step, isCsv);
  }
  const count = await writeTable(file, records);
  say(options, { file, rows: count }, `${file}: ${format(count)} ${count === 1 ? 'record' : 'records'}`);
}
