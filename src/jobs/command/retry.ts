import { linesOf } from './arguments.ts';
import { noClient } from './environment.ts';
import { type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { withJobs } from './session.ts';

/** `carillon-jobs retry`: sends chosen rows again with the same values. Resolves to the exit code. */
export async function retry(
  options: OutputOptions & { code?: string; notDone?: true },
  [name = '', given = '']: string[],
): Promise<number> {
  const { code, notDone: isNotDone } = options;
  const rows = given.trim() === 'all' ? 'all' : linesOf(given);
  return withJobs(noClient, async (jobs) => {
    const count = await jobs.retry(name, { rows, code, isNotDone });
    const { state } = await jobs.status(name);
    const next = state === 'paused' ? ` Continue with: carillon-jobs resume ${name}` : ' A worker sends them.';
    say(options, { job: name, retried: count }, `${name}: ${describeCount(count)} planned again.${next}`);
    return 0;
  });
}
