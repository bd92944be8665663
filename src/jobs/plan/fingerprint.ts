/// <reference types="node" />
import { createHash } from 'node:crypto';
import type { JobDefinition } from '../types.ts';

/** What identifies the version of a definition in the database. */
export interface Fingerprint {
  readonly definition: string;
  readonly version: number;
  readonly steps: readonly string[];
}

/** For whom a job works: the account, and the address of the service. */
export interface Target {
  readonly account: string;
  readonly service: string;
}

export function fingerprintOf({ name, version, steps }: JobDefinition): Fingerprint {
  return { definition: name, version, steps: steps.map((step) => step.name) };
}

/** How two versions of a definition differ, or `undefined`. */
export function differenceOf(planned: Fingerprint, known: Fingerprint): string | undefined {
  const text = ({ definition, version, steps }: Fingerprint): string =>
    `${definition}, version ${version} (${steps.join(', ')})`;
  if (text(planned) === text(known)) return undefined;
  return `It was planned with ${text(planned)}, and this program has ${text(known)}`;
}

/**
 * Name of the queue of a job. It contains all that a worker must have in common with the job, so no worker receives what it does not know: a
 * new version of a definition, or another service, has a queue of its own.
 */
export function queueOf({ account, service }: Target, { definition, version, steps }: Fingerprint): string {
  const rest = createHash('sha256')
    .update(JSON.stringify([service, steps]))
    .digest('hex')
    .slice(0, 8);
  return `${account}/${definition}/${version}/${rest}`;
}
