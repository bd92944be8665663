/// <reference types="node" />
import { createHash } from 'node:crypto';
import type { JobDefinition, JobStep, Json } from '../types.ts';

/** A step of one row. A step with `each` becomes several steps. */
export interface RowStep {
  readonly name: string;
  readonly index: number;
  readonly step: JobStep;
}

/** Returns the next step of a row: the first step that applies to the row and has no result. */
export function nextStep(
  { steps }: Pick<JobDefinition, 'steps'>,
  values: Json,
  results: Readonly<Record<string, Json>>,
): RowStep | undefined {
  for (const step of steps) {
    if (step.applies && !step.applies(values)) continue;
    const names = step.each ? step.each(values).map((_, index) => `${step.name} ${index + 1}`) : [step.name];
    const index = names.findIndex((name) => !Object.hasOwn(results, name));
    const name = names[index];
    if (name !== undefined) return { name, index, step };
  }
  return undefined;
}

/**
 * Returns the marker of a step: a UUID (version 8, custom) that depends only on the job, the row and the step, so that every
 * machine computes the same marker, even for a lookup after a crash.
 *
 * @param seed - random UUID of the job
 * @param key - key of the row
 * @param step - name of the step
 */
export function markerOf(seed: string, key: string, step: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([seed, key, step]))
    .digest();
  hash[6] = ((hash[6] ?? 0) % 0x10) + 0x80;
  hash[8] = ((hash[8] ?? 0) % 0x40) + 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
