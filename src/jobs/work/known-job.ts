import { differenceOf, fingerprintOf, queueOf, type Target } from '../plan/fingerprint.ts';
import type { Store } from '../store/store.ts';
import type { StoredJob } from '../store/tables.ts';
import type { JobDefinition } from '../types.ts';

/** A job, with this program's definition of it. */
export type KnownJob = Omit<StoredJob, 'definition'> & { readonly definition: JobDefinition };

/**
 * Explains why running jobs of this program's definitions are not for this program: they have another version or service.
 *
 * @returns an explanation for each job, by its name
 */
export async function explainOthers(
  store: Store,
  { account, service }: Target,
  definitions: readonly JobDefinition[],
): Promise<Map<string, string>> {
  const others = new Map<string, string>();
  for (const job of await store.jobs()) {
    const own = definitions.find(({ name }) => name === job.definition);
    if (!own || job.state !== 'running' || job.account !== account) continue;
    const print = fingerprintOf(own);
    if (job.queue === queueOf({ account, service }, print)) continue;
    const planned = { definition: job.definition, version: job.version, steps: job.steps };
    const reason =
      differenceOf(planned, print) ?? `It was planned for ${job.service}, and this program calls ${service}`;
    others.set(
      job.name,
      `The job ${job.name} is not for this program. ${reason}. Finish it with the program that planned it, or cancel it and plan it under another name.`,
    );
  }
  return others;
}
