import type { ClientOptions, Logger } from 'carillon';
import type { Jobs } from '../types.ts';
import { noClient, readPlace } from './environment.ts';
import { definitions } from './kinds.ts';
import type { OutputOptions } from './output.ts';

/** Writes a warning. On a terminal, the warning replaces the progress line. */
function warn(text: string): void {
  console.error(process.stdout.isTTY ? `\r\x1b[K${text}` : text);
}

/** Opens the jobs at the location that the environment specifies, and closes them afterwards. */
export async function withJobs<Result>(
  client: ClientOptions,
  run: (jobs: Jobs) => Promise<Result>,
  logger: Logger = { warn },
): Promise<Result> {
  const place = readPlace(process.env);
  // Load on demand, so that --help and usage errors need no driver.
  const { openJobs } = await import('../open-jobs.ts');
  const jobs = await openJobs({ ...place, definitions, client, logger });
  try {
    return await run(jobs);
  } finally {
    await jobs.close();
  }
}

/**
 * Creates a subcommand that sends no requests.
 *
 * @param act - acts on the jobs at the location that the environment specifies. Resolves to the exit code if it is not 0
 */
export function onJobs<Options extends OutputOptions>(
  act: (jobs: Jobs, options: Options, args: string[]) => Promise<unknown>,
): (options: Options, args: string[]) => Promise<number> {
  return (options, args) =>
    withJobs(noClient, async (jobs) => {
      const code = await act(jobs, options, args);
      return typeof code === 'number' ? code : 0;
    });
}

/** Describes the location of the jobs, and whether it is new, so that a missing setting is noticed immediately. */
export async function describePlace(jobs: Pick<Jobs, 'location' | 'isNew'>): Promise<string> {
  return `Jobs: ${jobs.location}${(await jobs.isNew()) ? ' (new)' : ''}`;
}

/**
 * Calls `run` with a signal that is aborted on Ctrl+C or SIGTERM. A second signal ends the process immediately.
 *
 * @param message - printed at the first signal
 */
export async function withSignal<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  message = 'Stopping after the requests in flight. Press Ctrl+C again to stop at once.',
): Promise<Result> {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const end = (): void => {
    for (const name of signals) process.off(name, end);
    console.error(message);
    stop.abort();
  };
  for (const name of signals) process.on(name, end);
  try {
    return await run(stop.signal);
  } finally {
    for (const name of signals) process.off(name, end);
  }
}
