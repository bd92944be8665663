import { expect, test } from 'vitest';
import type { Paging } from '../../../../src/shared/operation.ts';
import fc, { samples } from '../../../fast-check.ts';
import { pagedList } from '../../../support/paged-list.ts';

/** A service with faults. All records except the hidden ones should be returned. */
interface Service {
  records: number;
  cap: number;
  /** Records that the service removes from a page after cutting it. */
  hidden: number[];
  /** The stated total: all records, visible records, another number, or none. */
  total: 'all' | 'shown' | number | undefined;
  /** Number of first records that are deleted before request n. */
  deletions: Record<number, number>;
  /** Requests that are answered with an empty page. */
  empty: number[];
}

const service: fc.Arbitrary<Service> = fc.record({
  records: fc.nat(60),
  cap: fc.integer({ min: 1, max: 25 }),
  hidden: fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
  total: fc.oneof(fc.constantFrom('all' as const, 'shown' as const, undefined), fc.integer({ min: -2, max: 90 })),
  deletions: fc.dictionary(fc.constantFrom('2', '3', '4'), fc.nat(8), { maxKeys: 2 }),
  empty: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
});

function over(faulty: Service, paging: Paging, limit: number | undefined, offset = 0) {
  const { records, cap, hidden, total, deletions, empty } = faulty;
  let left = Array.from({ length: records }, (_, id) => ({ id }));
  let asked = 0;
  const warnings: string[] = [];
  const isShown = ({ id }: { id: number }): boolean => !hidden.includes(id);
  const page = ({ limit: size = cap, offset: from }: { limit: number | undefined; offset: number }) => {
    asked += 1;
    if (asked > 1_000) throw new Error('This list never ends');
    left = left.slice(deletions[asked] ?? 0);
    const data = empty.includes(asked) ? [] : left.slice(from, from + Math.min(size, cap)).filter(isShown);
    const stated = total === 'shown' ? left.filter(isShown).length : total;
    return { data, total: stated === 'all' ? left.length : stated };
  };
  const list = pagedList<{ id: number }, { total?: number | undefined }>({
    paging,
    limit,
    offset,
    page,
    warn: (message) => warnings.push(message),
  });
  const missing = (items: { id: number }[]): boolean => {
    const ids = new Set(items.map(({ id }) => id));
    return left.filter(isShown).some(({ id }) => !ids.has(id));
  };
  return { list, warnings, missing };
}

const open: Paging = { limit: 'limit', offset: 'offset' };
const someLimit = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined });

/** Whether the client can detect missing items. Without a total, an empty page looks like the end, and a total may be too low. */
const canTell = ({ total, records, hidden }: Service): boolean =>
  typeof total === 'number' ? total >= records : total !== undefined || hidden.length === 0;

test('a service with a total yields every item or a warning, whatever it caps, hides, deletes or leaves empty', async () => {
  await fc.assert(
    fc.asyncProperty(service, someLimit, fc.boolean(), async (faulty, limit, documented) => {
      fc.pre(faulty.total !== undefined && canTell(faulty));
      const paging = documented ? { ...open, maximum: faulty.cap + 5 } : open;
      const { list, warnings, missing } = over(faulty, paging, limit ?? paging.maximum);
      const items: { id: number }[] = [];
      for await (const item of list) items.push(item);
      if (missing(items)) expect(warnings).not.toEqual([]);
    }),
    { numRuns: samples(100) },
  );
});

test('complete: true never returns an incomplete list', async () => {
  await fc.assert(
    fc.asyncProperty(service, someLimit, fc.nat(80), async (faulty, limit, max) => {
      fc.pre(faulty.total !== undefined && canTell(faulty) && max > 0);
      const { list, missing } = over(faulty, open, limit);
      const items = await list.toArray({ max, complete: true }).catch(() => undefined);
      expect(items !== undefined && missing(items)).toBe(false);
    }),
    { numRuns: samples(100) },
  );
});

test('complete: true never returns an item twice, with or without a total', async () => {
  await fc.assert(
    fc.asyncProperty(service, someLimit, async (faulty, limit) => {
      const items = await over(faulty, open, limit)
        .list.toArray({ max: 80, complete: true })
        .catch(() => []);
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    }),
    { numRuns: samples(100) },
  );
});

test('every list ends, and no service makes it reject', async () => {
  await fc.assert(
    fc.asyncProperty(service, someLimit, async (faulty, limit) => {
      for await (const _ of over(faulty, open, limit).list);
    }),
  );
});

test("a list resumed at any page's nextOffset returns the rest", async () => {
  await fc.assert(
    fc.asyncProperty(service, someLimit, fc.nat(9), async (faulty, limit, count) => {
      const stable = { ...faulty, hidden: [], deletions: {}, empty: [] };
      const items: { id: number }[] = [];
      let nextOffset: number | undefined;
      for await (const page of over(stable, open, limit).list.pages()) {
        items.push(...page.data);
        nextOffset = page.nextOffset;
        if (items.length > count) break;
      }
      if (nextOffset !== undefined)
        items.push(...(await over(stable, open, limit, nextOffset).list.toArray({ max: 99 })));
      expect(items).toEqual(await over(stable, open, limit).list.toArray({ max: 99 }));
    }),
  );
});
