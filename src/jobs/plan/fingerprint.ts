/// <reference types="node" />
import { createHash } from 'node:crypto';
import type { NewJob } from '../store/tables.ts';
import type { JobDefinition } from '../types.ts';

/** Identifies the version of a definition in a store. */
export type Fingerprint = Pick<NewJob, 'definition' | 'version' | 'steps'>;

/** Target of a job: the account and the address of the service. */
export type Target = Pick<NewJob, 'account' | 'service'>;

export function fingerprintOf({ name, version, steps }: JobDefinition): Fingerprint {
  return { definition: name, version, steps: steps.map((step) => step.name) };
}

/** Describes the difference between two versions of a definition. Returns `undefined` if they are equal. */
export function differenceOf(planned: Fingerprint, known: Fingerprint): string | undefined {
  const text = ({ definition, version, steps }: Fingerprint): string =>
    `${definition}, version ${version} (${steps.join(', ')})`;
  if (text(planned) === text(known)) return undefined;
  return `It was planned with ${text(planned)}, but this program has ${text(known)}`;
}

/**
 * Returns the name of a job's queue. The name contains everything that a worker must have in common with the job. Another version of
 * the definition, or another service, leads to a different queue, so no worker receives jobs that it cannot process.
 */
export function queueOf({ account, service }: Target, { definition, version, steps }: Fingerprint): string {
  const rest = createHash('sha256')
    .update(JSON.stringify([service, steps]))
    .digest('hex')
    .slice(0, 8);
  return `${account}/${definition}/${version}/${rest}`;
}
