import { expect, test } from 'vitest';
import type { Paging } from '../../../../src/shared/operation.ts';
import fc from '../../../fast-check.ts';
import { pagedList } from '../../../support/paged-list.ts';

interface Service {
  /** Number of records. */
  records: number;
  /** The service's own maximum page size, and its default. */
  cap: number;
  total: boolean;
  ignoresOffset: boolean;
}

/** A list over a service, and the offsets that it requested. */
function over({ records, cap, total, ignoresOffset }: Service, paging: Paging, limit?: number, offset = 0) {
  const asked: number[] = [];
  const warnings: string[] = [];
  const list = pagedList<number, { total?: number }>({
    paging,
    limit,
    offset,
    page: ({ limit: size = cap, offset }) => {
      asked.push(offset);
      const start = ignoresOffset ? 0 : offset;
      const count = Math.max(0, Math.min(size, cap, records - start));
      const data = Array.from({ length: count }, (_, index) => start + index);
      return { data, ...(total && { total: records }) };
    },
    warn: (message) => warnings.push(message),
  });
  return { list, asked, warnings };
}

async function collect(list: AsyncIterable<number>): Promise<number[]> {
  const items: number[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const from = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);

const open: Paging = { limit: 'limit', offset: 'offset' };
const honest = fc.record({
  records: fc.nat(60),
  cap: fc.integer({ min: 1, max: 25 }),
  total: fc.boolean(),
  ignoresOffset: fc.constant(false),
});
const someLimit = fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined });

test('every item comes once and in order, whatever the page sizes, with the least requests', async () => {
  await fc.assert(
    fc.asyncProperty(honest, someLimit, fc.nat(70), async (service, limit, offset) => {
      const { list, asked, warnings } = over(service, open, limit, offset);
      expect(await collect(list)).toEqual(from(offset, service.records));
      const size = Math.min(limit ?? service.cap, service.cap);
      const pages = Math.ceil(Math.max(0, service.records - offset) / size);
      // Without a total, an empty page marks the end.
      expect(asked).toHaveLength(service.total ? Math.max(1, pages) : pages + 1);
      expect(warnings).toEqual([]);
    }),
  );
});

test('a documented maximum saves the last request, and loses no items unless the limit exceeds it', async () => {
  await fc.assert(
    fc.asyncProperty(honest, fc.integer({ min: 1, max: 50 }), async (service, limit) => {
      const { list, asked } = over(service, { ...open, maximum: service.cap }, limit);
      expect(await collect(list)).toEqual(from(0, service.records));
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(service.records / Math.min(limit, service.cap)) + 1);
    }),
  );
});

test('awaiting pages one by one returns the same items as for await', async () => {
  await fc.assert(
    fc.asyncProperty(honest, someLimit, async (service, limit) => {
      const { list } = over(service, open, limit);
      const items: number[] = [];
      let page = await list;
      items.push(...page.data);
      while (page.nextOffset !== undefined) {
        page = await over(service, open, limit, page.nextOffset).list;
        items.push(...page.data);
      }
      expect(items).toEqual(await collect(list));
    }),
  );
});

test('toArray returns the first max items', async () => {
  await fc.assert(
    fc.asyncProperty(honest, someLimit, fc.nat(80), async (service, limit, max) => {
      const { list } = over(service, open, limit);
      expect(await list.toArray({ max })).toEqual(from(0, Math.min(max, service.records)));
    }),
  );
});

test('a service that ignores the offset causes neither an endless list nor repeated items', async () => {
  await fc.assert(
    fc.asyncProperty(honest, someLimit, async (service, limit) => {
      const { list, asked, warnings } = over({ ...service, ignoresOffset: true }, open, limit);
      const shown = Math.min(limit ?? service.cap, service.cap, service.records);
      expect(await collect(list)).toEqual(from(0, shown));
      expect(asked.length).toBeLessThanOrEqual(2);
      expect(warnings).toHaveLength(asked.length - 1);
    }),
  );
});

test('an open filter without a limit is a single page, and with a limit a list like any other', async () => {
  const inferred: Paging = { ...open, inferred: true };
  await fc.assert(
    fc.asyncProperty(honest, fc.integer({ min: 1, max: 40 }), async (service, limit) => {
      const one = over(service, inferred);
      expect(await collect(one.list)).toEqual(from(0, Math.min(service.cap, service.records)));
      expect(one.asked).toEqual([0]);
      expect(await collect(over(service, inferred, limit).list)).toEqual(from(0, service.records));
    }),
  );
});
