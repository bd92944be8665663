import { UsageError } from '../../shared/command-line.ts';
import { describeSeconds } from '../../shared/rate.ts';
import { isRetryable } from '../store/explain.ts';
import type { JobStatus, Jobs, ResumeAnswer } from '../types.ts';
import { abortableSleep } from '../waiting.ts';
import { linesOf, positive, priorityOf } from './arguments.ts';
import { exitCodeOf } from './failure.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount, describeProgress, Progress } from './progress.ts';
import { onJobs, withSignal } from './session.ts';

/** Milliseconds between two queries of a job. */
const lookMilliseconds = 1_000;

export const status = onJobs(async (jobs, options: OutputOptions & { watch?: true }, [name]) => {
  if (name === undefined) {
    if (options.watch) throw new UsageError('status --watch needs a job name.');
    const found = await jobs.list();
    for (const one of found) print(one, options);
    if (found.length === 0) note(options, 'There are no jobs.');
    return 0;
  }
  if (options.watch) return watchJob(jobs, name, options);
  return print(await jobs.status(name), options);
});

/** Shows a job until it ends or pauses, or until this process receives a signal. */
async function watchJob(jobs: Jobs, name: string, options: OutputOptions): Promise<number> {
  const progress = new Progress(process.stdout);
  const last = await follow(jobs, name, (status) => {
    if (options.json) print(status, options);
    else progress.show(status, performance.now());
  });
  progress.end();
  print(last, options);
  return last.state === 'running' ? 0 : exitCodeOf(last);
}

export const wait = onJobs(async (jobs, options, [name = '']) => {
  let told = false;
  const last = await follow(jobs, name, ({ workers }) => {
    if (workers === 0 && !told) console.error(`${name}: no worker is running. Start a worker: carillon-jobs work`);
    told ||= workers === 0;
  });
  print(last, options);
  return exitCodeOf(last);
});

/** Polls a job until it ends or pauses, or until a signal arrives. Waits while the database does not respond, as during a restart. */
async function follow(jobs: Jobs, name: string, look: (status: JobStatus) => void): Promise<JobStatus> {
  let status = await jobs.status(name);
  let isAway = false;
  await withSignal(async (signal) => {
    while (status.state === 'running' && !signal.aborted) {
      if (!isAway) look(status);
      await abortableSleep(lookMilliseconds, signal);
      try {
        status = await jobs.status(name);
        if (isAway) console.error('The database is back.');
        isAway = false;
      } catch (error) {
        if (!(error instanceof Error && isRetryable(error.cause))) throw error;
        if (!isAway) console.error(`${error.message} Waiting for the database.`);
        isAway = true;
      }
    }
  }, 'The job continues.');
  return status;
}

export const workers = onJobs(async (jobs, options) => {
  const found = await jobs.workers();
  for (const worker of found) {
    const { host, process, number, state, lastSign, startedAt, rows } = worker;
    const since = describeSeconds((lastSign.getTime() - startedAt.getTime()) / 1_000);
    const sign = state === 'working' ? `working for ${since}` : `${state}, last heartbeat at ${lastSign.toISOString()}`;
    say(options, worker, `${host}, process ${process} (worker ${number}): ${sign}, holds ${describeCount(rows)}`);
  }
  if (found.length === 0) note(options, 'There are no workers.');
});

export const pause = onJobs(async (jobs, options, [name = '']) => print(await jobs.pause(name), options));

export const cancel = onJobs(async (jobs, options, [name = '']) => print(await jobs.cancel(name), options));

export const resume = onJobs(async (jobs, options: OutputOptions & { sent?: string }, [name = '']) => {
  const answer = options.sent === undefined ? {} : { sent: rowsOf(options.sent) };
  print(await jobs.resume(name, answer), options);
});

/** Parses lines such as `2-400,512`. */
function rowsOf(text: string): NonNullable<ResumeAnswer['sent']> {
  const given = text.trim();
  if (given === 'all' || given === 'none') return given;
  const lines = linesOf(given);
  if (lines.some((line) => typeof line === 'string'))
    throw new UsageError(`Specify rows by line number, such as 2-400,512, or use 'all' or 'none', not '${text}'.`);
  return lines;
}

interface SetOptions extends OutputOptions {
  rate?: string;
  concurrency?: string;
  priority?: string;
}

export const set = onJobs(async (jobs, options: SetOptions, [name = '']) => {
  const limitOf = (option: 'rate' | 'concurrency'): number | null | undefined =>
    options[option] === 'none' ? null : positive(options[option], option, option === 'concurrency');
  const settings = {
    rate: limitOf('rate'),
    concurrency: limitOf('concurrency'),
    priority: priorityOf(options.priority),
  };
  if (Object.values(settings).every((value) => value === undefined))
    throw new UsageError('set needs --rate, --concurrency or --priority.');
  const { rate = null, concurrency = null, priority } = await jobs.set(name, settings);
  say(
    options,
    { job: name, rate, concurrency, priority },
    `${name}: rate ${rate ?? 'none'}, concurrency ${concurrency ?? 'none'}, priority ${priority}.`,
  );
});

export const forget = onJobs(async (jobs, options, [name = '', key]) => {
  const rows = await jobs.forget(name, key);
  say(options, { job: name, rows }, `${name}: values, results and reasons of ${describeCount(rows)} are removed.`);
});

export const remove = onJobs(async (jobs, options, [name = '']) => {
  await jobs.remove(name);
  say(options, { job: name, removed: true }, `${name}: the job is removed.`);
});

export const retry = onJobs(async (jobs, options: OutputOptions & { code?: string }, [name = '', given = '']) => {
  const rows = given.trim() === 'all' ? 'all' : linesOf(given);
  const retried = await jobs.retry(name, { rows, code: options.code });
  const { state } = await jobs.status(name);
  const next = state === 'paused' ? ` Continue with: carillon-jobs resume ${name}` : ' A worker sends them.';
  say(options, { job: name, retried }, `${name}: ${describeCount(retried)} planned again.${next}`);
});

function print(status: JobStatus, options: OutputOptions): void {
  const text = status.reason && status.state === 'paused' ? `\n  ${status.reason}` : '';
  say(options, status, `${describeProgress(status)}${text}`);
}
