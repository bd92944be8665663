import type { JobStatus, Jobs } from '../types.ts';
import { noClient } from './environment.ts';
import { describeCount, describeProgress } from './progress.ts';
import { withJobs } from './session.ts';

/** `carillon-jobs status`: one job, or all. Resolves to the exit code. */
export async function status(_: object, [name]: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const found = name === undefined ? await jobs.list() : [await jobs.status(name)];
    for (const one of found) print(one);
    if (found.length === 0) console.log('There are no jobs.');
    return 0;
  });
}

/** `carillon-jobs pause`, `resume` and `cancel`. */
export function change(how: 'pause' | 'resume' | 'cancel'): (_: object, args: string[]) => Promise<number> {
  return async (_, [name = '']) =>
    withJobs(noClient, async (jobs: Jobs) => {
      print(await jobs[how](name));
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

function print(status: JobStatus): void {
  console.log(describeProgress(status));
  if (status.reason) console.log(`  ${status.reason}`);
}
