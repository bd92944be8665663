import { readNumber, UsageError } from '../../shared/command-line.ts';
import { describeSeconds } from '../../shared/rate.ts';
import { isRetryable } from '../store/explain.ts';
import type { JobStatus, Jobs, ResumeAnswer } from '../types.ts';
import { pause } from '../waiting.ts';
import { linesOf, positive } from './arguments.ts';
import { noClient } from './environment.ts';
import { exitCodeOf } from './failure.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount, describeProgress, Progress } from './progress.ts';
import { withJobs, withSignal } from './session.ts';

/** Milliseconds between two looks at a job. */
const lookMilliseconds = 1_000;

/** `carillon-jobs status`: shows one job or all. Resolves to the exit code. */
export async function status(options: OutputOptions & { watch?: true }, [name]: string[]): Promise<number> {
  const { watch } = options;
  if (watch && name === undefined) throw new UsageError('status --watch needs the name of a job.');
  return withJobs(noClient, async (jobs) => {
    if (watch && name !== undefined) return watchJob(jobs, name, options);
    const found = name === undefined ? await jobs.list() : [await jobs.status(name)];
    for (const one of found) print(one, options);
    if (found.length === 0) note(options, 'There are no jobs.');
    return 0;
  });
}

/** Shows a job until it ends or pauses, or until a signal. */
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

/** `carillon-jobs wait`: waits until a job has ended or is paused, without showing it. Resolves to the exit code. */
export async function wait(options: OutputOptions, [name = '']: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    let told = false;
    const last = await follow(jobs, name, ({ workers }) => {
      if (workers === 0 && !told) console.error(`${name}: no worker lives. Start one: carillon-jobs work`);
      told ||= workers === 0;
    });
    print(last, options);
    return exitCodeOf(last);
  });
}

/** Looks at a job until it ends or pauses, or until a signal. Waits while the database does not respond, as during a restart. */
async function follow(jobs: Jobs, name: string, look: (status: JobStatus) => void): Promise<JobStatus> {
  let status = await jobs.status(name);
  let isAway = false;
  await withSignal(async (signal) => {
    while (status.state === 'running' && !signal.aborted) {
      if (!isAway) look(status);
      await pause(lookMilliseconds, signal);
      try {
        status = await jobs.status(name);
        if (isAway) console.error('The database is back.');
        isAway = false;
      } catch (error) {
        if (!(error instanceof Error && isRetryable(error.cause))) throw error;
        if (!isAway) console.error(`${error.message} Waiting for it.`);
        isAway = true;
      }
    }
  }, 'The job continues.');
  return status;
}

/** `carillon-jobs workers`. */
export async function workers(options: OutputOptions): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const found = await jobs.workers();
    for (const worker of found) {
      const { host, process, number, state, lastSign, startedAt, rows } = worker;
      const since = describeSeconds((lastSign.getTime() - startedAt.getTime()) / 1_000);
      const sign =
        state === 'working' ? `working for ${since}` : `${state}, last sign of life at ${lastSign.toISOString()}`;
      say(options, worker, `${host}, process ${process} (number ${number}): ${sign}, holds ${describeCount(rows)}`);
    }
    if (found.length === 0) note(options, 'There are no workers.');
    return 0;
  });
}

/** `carillon-jobs pause` and `cancel`. */
export function change(how: 'pause' | 'cancel'): (options: OutputOptions, args: string[]) => Promise<number> {
  return async (options, [name = '']) =>
    withJobs(noClient, async (jobs: Jobs) => {
      print(await jobs[how](name), options);
      return 0;
    });
}

/** `carillon-jobs resume`. */
export async function resume(options: OutputOptions & { sent?: string }, [name = '']: string[]): Promise<number> {
  const answer = options.sent === undefined ? {} : { sent: rowsOf(options.sent) };
  return withJobs(noClient, async (jobs) => {
    print(await jobs.resume(name, answer), options);
    return 0;
  });
}

/** Parses lines such as `2-400,512`. */
function rowsOf(text: string): NonNullable<ResumeAnswer['sent']> {
  const given = text.trim();
  if (given === 'all' || given === 'none') return given;
  const lines = linesOf(given);
  if (lines.some((line) => typeof line === 'string'))
    throw new UsageError(`The rows must be lines such as 2-400,512, or all, or none, not '${text}'.`);
  return lines;
}

/** Options of `carillon-jobs set`. */
interface SetOptions extends OutputOptions {
  rate?: string;
  concurrency?: string;
  priority?: string;
}

/** `carillon-jobs set`: changes limits and priority of a job. */
export async function set(options: SetOptions, [name = '']: string[]): Promise<number> {
  const limitOf = (option: 'rate' | 'concurrency'): number | null | undefined =>
    options[option] === 'none' ? null : positive(options[option], option, option === 'concurrency');
  const settings = {
    rate: limitOf('rate'),
    concurrency: limitOf('concurrency'),
    priority: options.priority === undefined ? undefined : readNumber(options.priority, 'priority', { whole: true }),
  };
  if (Object.values(settings).every((value) => value === undefined))
    throw new UsageError('set needs --rate, --concurrency or --priority.');
  return withJobs(noClient, async (jobs) => {
    const { rate, concurrency, priority } = await jobs.set(name, settings);
    const changed = { job: name, rate: rate ?? null, concurrency: concurrency ?? null, priority };
    say(
      options,
      changed,
      `${name}: rate ${rate ?? 'none'}, concurrency ${concurrency ?? 'none'}, priority ${priority}.`,
    );
    return 0;
  });
}

/** `carillon-jobs forget`: removes personal data. */
export async function forget(options: OutputOptions, [name = '', key]: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const count = await jobs.forget(name, key);
    say(
      options,
      { job: name, rows: count },
      `${name}: values, results and reasons of ${describeCount(count)} are removed.`,
    );
    return 0;
  });
}

/** `carillon-jobs remove`: removes a job that has ended, with its rows. */
export async function remove(options: OutputOptions, [name = '']: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    await jobs.remove(name);
    say(options, { job: name, removed: true }, `${name}: the job is removed.`);
    return 0;
  });
}

function print(status: JobStatus, options: OutputOptions = {}): void {
  const text = status.reason && status.state === 'paused' ? `\n  ${status.reason}` : '';
  say(options, status, `${describeProgress(status)}${text}`);
}

/** `carillon-jobs retry`: sends chosen rows again with the same values. Resolves to the exit code. */
export async function retry(
  options: OutputOptions & { code?: string },
  [name = '', given = '']: string[],
): Promise<number> {
  const { code } = options;
  const rows = given.trim() === 'all' ? 'all' : linesOf(given);
  return withJobs(noClient, async (jobs) => {
    const count = await jobs.retry(name, { rows, code });
    const { state } = await jobs.status(name);
    const next = state === 'paused' ? ` Continue with: carillon-jobs resume ${name}` : ' A worker sends them.';
    say(options, { job: name, retried: count }, `${name}: ${describeCount(count)} planned again.${next}`);
    return 0;
  });
}
