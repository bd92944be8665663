import { expect, test } from 'vitest';
import type { Verdict } from '../../../scripts/release/verdict.ts';

/** A change of collected data, with its class. */
export type Mutation<Data> = [kind: string, change: (data: Data) => void];

/** Makes a mutation for each item. */
export function forEach<Data, Item>(
  items: readonly Item[],
  kind: string,
  change: (data: Data, item: Item) => void,
): Mutation<Data>[] {
  return items.map((item) => [`${kind}: ${JSON.stringify(item)}`, (data) => change(data, item)]);
}

/** Tests that each breaking mutation is reported as a break, and that no harmless one is. */
export function testMutations<Data>(
  base: Data,
  compare: (base: Data, next: Data) => Verdict[],
  { breaking, harmless }: { breaking: readonly Mutation<Data>[]; harmless: readonly Mutation<Data>[] },
): void {
  const judge = (change: (data: Data) => void): Verdict[] => {
    const next = structuredClone(base);
    change(next);
    expect(next, 'the mutation changes something').not.toEqual(base);
    return compare(base, next);
  };

  test('no change has no verdict', () => {
    expect(compare(base, structuredClone(base))).toEqual([]);
  });

  test.each(breaking)('breaks: %s', (_, change) => {
    const breaks = judge(change).filter(({ impact }) => impact === 'break');
    expect(breaks.length).toBeGreaterThan(0);
    for (const { place, sentence } of breaks) {
      expect(place).not.toBe('');
      expect(sentence).toMatch(/^(?:[A-Z0-9`]|carillon).*[.?]$/s);
    }
  });

  test.each(harmless)('breaks nothing: %s', (_, change) => {
    expect(judge(change).filter(({ impact }) => impact === 'break')).toEqual([]);
  });

  test('the verdicts of one comparison have different places', () => {
    for (const [, change] of [...breaking, ...harmless]) {
      const places = judge(change).map(({ place }) => place);
      expect(new Set(places).size).toBe(places.length);
    }
  });
}
