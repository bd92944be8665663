import { JobsError } from '../jobs-error.ts';
import type { Jobs } from '../types.ts';
import { positive } from './arguments.ts';
import { readClient, requireTerminal } from './environment.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describePlace, withJobs, withSignal } from './session.ts';

/** `carillon-jobs work`: works on all jobs of the account until a signal stops it. */
export async function work(options: OutputOptions & { concurrency?: string; metrics?: true }): Promise<number> {
  const concurrency = positive(options.concurrency, 'concurrency');
  const logger = { warn: (text: string) => console.error(withTime(text)) };
  const onJob = (name: string, event: string): void =>
    say(options, { time: new Date(), job: name, event }, withTime(`${name}: ${event}`));
  requireTerminal(process.env);
  return withJobs(
    await readClient(process.env),
    async (jobs) => {
      note(options, await describePlace(jobs));
      const stop = options.metrics ? await openMetrics(jobs) : () => undefined;
      note(options, 'Waiting for jobs. Press Ctrl+C to stop.');
      await withSignal((signal) => jobs.work({ signal, onJob, concurrency }));
      stop();
      return 0;
    },
    logger,
  );
}

function withTime(text: string): string {
  return `${new Date().toISOString()} ${text}`;
}

/** Loads the metrics on demand, because their package is optional. */
async function openMetrics(jobs: Jobs): Promise<() => void> {
  try {
    return (await import('../otel.ts')).startMetrics(jobs);
  } catch (cause) {
    throw new JobsError('--metrics needs the package @opentelemetry/api: npm install @opentelemetry/api', { cause });
  }
}
