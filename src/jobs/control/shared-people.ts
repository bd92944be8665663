import { identityOf } from '../built-in/values.ts';
import { toStorable } from '../store/storable.ts';
import type { RowChange, RowMark, Store } from '../store/store.ts';
import type { Recipients } from '../types.ts';
import { pagesOf } from './read-rows.ts';

/**
 * Marks repaired rows that have a person in common with other rows of their job, because a lookup of one could take what another has sent.
 *
 * @param changes - the repaired rows by number, whose values change
 * @returns the marks of the other rows
 */
export async function markShared(
  store: Store,
  job: number,
  { of, share }: Pick<Recipients, 'of' | 'share'>,
  changes: Map<number, RowChange>,
): Promise<RowMark[]> {
  if (!share) return [];
  const repaired = new Map<string, Set<number>>();
  for (const { number, values } of changes.values())
    for (const person of of(values)) repaired.set(person, (repaired.get(person) ?? new Set()).add(number));
  const shared = new Set([...repaired.values()].filter(({ size }) => size > 1).flatMap((numbers) => [...numbers]));
  const marks: RowMark[] = [];
  for await (const page of pagesOf(store, job, ['planned', 'claimed', 'doubt', 'done', 'rejected', 'unknown'])) {
    for (const { number, key, values, state } of page) {
      if (changes.has(number)) continue;
      const people = values === null ? peopleOfKey(key) : of(values);
      const found = people?.flatMap((person) => [...(repaired.get(person) ?? [])]) ?? [...changes.keys()];
      for (const one of found) shared.add(one);
      if (found.length > 0 && values !== null && state !== 'done')
        marks.push({ number, before: values, values: toStorable(share(values)) });
    }
  }
  for (const number of shared) {
    const change = changes.get(number);
    if (change) changes.set(number, { ...change, values: toStorable(share(change.values)) });
  }
  return marks;
}

/** Completed rows keep only their key, which may be the address. `undefined` if it is not. */
function peopleOfKey(key: string): string[] | undefined {
  const own = identityOf(key.replace(/ \(line \d+\)$/, ''));
  return own.includes('@') ? [own] : undefined;
}
