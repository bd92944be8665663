import { UsageError } from '../../shared/command-line.ts';
import { describeSeconds } from '../../shared/rate.ts';
import type { JobStatus, Jobs } from '../types.ts';
import { pause } from '../work/waiting.ts';
import { positive } from './arguments.ts';
import { noClient } from './environment.ts';
import { describeCount, describeProgress, Progress } from './progress.ts';
import { withJobs, withSignal } from './session.ts';

/** Interval of `status --watch` in milliseconds. */
const lookMilliseconds = 1_000;

/** `carillon-jobs status`: shows one job or all. Resolves to the exit code. */
export async function status({ watch }: { watch?: true }, [name]: string[]): Promise<number> {
  if (watch && name === undefined) throw new UsageError('status --watch needs the name of a job.');
  return withJobs(noClient, async (jobs) => {
    if (watch && name !== undefined) return watchJob(jobs, name);
    const found = name === undefined ? await jobs.list() : [await jobs.status(name)];
    for (const one of found) print(one);
    if (found.length === 0) console.log('There are no jobs.');
    return 0;
  });
}

/** Shows a job until it ends or pauses, or until a signal. */
async function watchJob(jobs: Jobs, name: string): Promise<number> {
  const progress = new Progress(process.stdout);
  const last = await withSignal(async (signal) => {
    for (;;) {
      const now = await jobs.status(name);
      if (now.state !== 'running' || signal.aborted) return now;
      progress.show(now, performance.now());
      await pause(lookMilliseconds, signal);
    }
  }, 'The job continues.');
  progress.end();
  print(last);
  return 0;
}

/** `carillon-jobs workers`. */
export async function workers(): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const found = await jobs.workers();
    for (const { host, process, number, state, lastSign, startedAt, rows } of found) {
      const since = describeSeconds((lastSign.getTime() - startedAt.getTime()) / 1_000);
      const sign =
        state === 'working' ? `working for ${since}` : `${state}, last sign of life at ${lastSign.toISOString()}`;
      console.log(`${host}, process ${process} (session ${number}): ${sign}, holds ${describeCount(rows)}`);
    }
    if (found.length === 0) console.log('There are no workers.');
    return 0;
  });
}

/** `carillon-jobs migrate`. */
export async function migrate(): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    await jobs.migrate();
    console.log('The tables have the version of this program.');
    return 0;
  });
}

/** `carillon-jobs pause` and `cancel`. */
export function change(how: 'pause' | 'cancel'): (_: object, args: string[]) => Promise<number> {
  return async (_, [name = '']) =>
    withJobs(noClient, async (jobs: Jobs) => {
      print(await jobs[how](name));
      return 0;
    });
}

/** `carillon-jobs set`: changes the limits of a job. */
export async function set(options: { rate?: string; concurrency?: string }, [name = '']: string[]): Promise<number> {
  const limitOf = (option: 'rate' | 'concurrency'): number | null | undefined =>
    options[option] === 'none' ? null : positive(options[option], option, option === 'concurrency');
  const settings = { rate: limitOf('rate'), concurrency: limitOf('concurrency') };
  if (settings.rate === undefined && settings.concurrency === undefined)
    throw new UsageError('set needs --rate or --concurrency.');
  return withJobs(noClient, async (jobs) => {
    const { rate, concurrency } = await jobs.set(name, settings);
    console.log(`${name}: rate ${rate ?? 'none'}, concurrency ${concurrency ?? 'none'}.`);
    return 0;
  });
}

/** `carillon-jobs forget`: removes personal data. */
export async function forget(_: object, [name = '', key]: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const count = await jobs.forget(name, key);
    console.log(`${name}: values, results and reasons of ${describeCount(count)} are removed.`);
    return 0;
  });
}

/** `carillon-jobs remove`: removes a job that has ended, with its rows. */
export async function remove(_: object, [name = '']: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    await jobs.remove(name);
    console.log(`${name}: the job is removed.`);
    return 0;
  });
}

export function print(status: JobStatus): void {
  console.log(describeProgress(status));
  if (status.reason) console.log(`  ${status.reason}`);
}
