import { differenceOf, fingerprintOf, queueOf, type Target } from '../plan/fingerprint.ts';
import type { StoredJob } from '../store/tables.ts';
import type { JobDefinition } from '../types.ts';

/** A stored job with this program's definition of the job. */
export type KnownJob = Omit<StoredJob, 'definition'> & { readonly definition: JobDefinition };

/**
 * Explains why this program cannot process a running job: the job has another version or is for another service. Returns `undefined`
 * if the program can process the job.
 */
export function explainOther(
  { name, state, account, ...job }: StoredJob,
  target: Target,
  definitions: readonly JobDefinition[],
): string | undefined {
  const own = definitions.find((each) => each.name === job.definition);
  if (!own || state !== 'running' || account !== target.account) return undefined;
  const print = fingerprintOf(own);
  if (job.queue === queueOf(target, print)) return undefined;
  const reason =
    differenceOf(job, print) ?? `It was planned for ${job.service}, but this program calls ${target.service}`;
  return `The job ${name} is not for this program. ${reason}. Finish the job with the program that planned it, or cancel it and plan a new job under another name.`;
}
