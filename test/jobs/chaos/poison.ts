import type { Json } from '../../../src/jobs/types.ts';
import fc from '../../fast-check.ts';
import { isUnstorable } from './definition.ts';

/** Anything that a program can return, whatever its types say. */
export const anything = fc.anything({
  withBigInt: true,
  withNullPrototype: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
});

/** Result of a row: any value, some that Postgres does not store as they are, and others that it cannot store. */
export function poison(key: string): Json {
  const row = Number(key.slice(4));
  if (row % 50 === 7) return { 'nul\0 and half a pair \ud800': '\0\ud800' };
  if (isUnstorable(row)) return JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
  return fc.sample(anything, { numRuns: 1, seed: row })[0] as Json;
}
