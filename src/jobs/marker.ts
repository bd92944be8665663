/// <reference types="node" />
import { createHash } from 'node:crypto';

/**
 * Marker of a step: a UUID (version 8, custom) that depends only on the job, the row and the step, so every machine computes the
 * same one, and a lookup after a crash knows it.
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
