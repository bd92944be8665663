import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { GroupIndex } from '../../../src/sandbox/data/group-index.ts';
import { Ledger } from '../../../src/sandbox/data/ledger.ts';
import { SortedIndex } from '../../../src/sandbox/data/sorted-index.ts';
import { Table } from '../../../src/sandbox/data/table.ts';
import { TextIndex } from '../../../src/sandbox/data/text-index.ts';
import fc, { samples } from '../../fast-check.ts';

interface Entry {
  id: number;
  rank: number;
  text: string;
}

const schema = z.object({ id: z.int(), rank: z.int(), text: z.string() });

function makeTable() {
  const ledger = new Ledger();
  const table = new Table<number, Entry>(ledger, 'entries', { key: ({ id }) => id, schema });
  const sorted = table.watch(new SortedIndex(table, { sort: ({ rank }) => rank, tie: ({ id }) => id }));
  const texts = table.watch(new TextIndex<number, Readonly<Entry>>(table, ({ text }) => [text]));
  const groups = table.watch(new GroupIndex<number, number, Readonly<Entry>>(table, ({ rank }) => [rank]));
  return { ledger, table, sorted, texts, groups };
}

const entry = fc.record({ id: fc.nat(30), rank: fc.nat(4), text: fc.string({ maxLength: 6 }) });
const change = fc.record({ entry, isDeleted: fc.boolean() });
const transaction = fc.record({ changes: fc.array(change, { maxLength: 6 }), fails: fc.boolean() });

test('indexes match a full scan after commits and roll-backs in any order', () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 20 }), fc.string({ maxLength: 3 }), (transactions, part) => {
      const { ledger, table, sorted, texts, groups } = makeTable();
      for (const { changes, fails } of transactions) {
        const before = [...table];
        const run = () =>
          ledger.run(() => {
            for (const { entry: one, isDeleted } of changes) isDeleted ? table.delete(one.id) : table.put(one);
            if (fails) throw new Error('The transaction fails');
          });
        if (fails) expect(run).toThrow('The transaction fails');
        else run();
        // A roll-back keeps the order, too.
        if (fails) expect([...table]).toEqual(before);
        const all = [...table.values()];
        expect(table.size).toBe(all.length);
        const ascending = all.toSorted((one, other) => one.rank - other.rank || one.id - other.id);
        const descending = all.toSorted((one, other) => other.rank - one.rank || one.id - other.id);
        expect(sorted.page(0, 100, false)).toEqual(ascending);
        expect(sorted.page(3, 5, true)).toEqual(descending.slice(3, 8));
        for (let rank = 0; rank < 5; rank += 1) {
          const ids = all.filter((one) => one.rank === rank).map(({ id }) => id);
          expect([...groups.keys(rank)].sort()).toEqual(ids.sort());
        }
        const found = texts.candidates(part)?.filter(({ text }) => text.includes(part));
        const expected = all.filter(({ text }) => text.includes(part));
        if (found) expect(new Set(found)).toEqual(new Set(expected));
      }
    }),
    { numRuns: samples(40) },
  );
});

test('a text index finds a substring in thousands of records, even after changes', () => {
  const { table, texts } = makeTable();
  for (let id = 0; id < 3_000; id += 1) table.put({ id, rank: 0, text: `customer${id}@example.com` });
  const find = (part: string) =>
    texts
      .candidates(part)
      ?.filter(({ text }) => text.includes(part))
      .map(({ id }) => id);
  expect(find('r2345@')).toEqual([2345]);
  table.put({ id: 2345, rank: 0, text: 'renamed@example.org' });
  table.delete(17);
  table.put({ id: 9_000, rank: 0, text: 'new@example.org' });
  expect([find('r2345@'), find('r17@'), find('example.org')]).toEqual([[], [], [2345, 9_000]]);
  expect(find('a\nb')).toBeUndefined();
});

test.each([3, 8, 9, 40])('a record moves between groups, of which it has %i', (count) => {
  const range = (start: number): number[] => Array.from({ length: count }, (_, index) => start + index);
  const records = new Map<number, readonly number[]>([[1, range(0)]]);
  const groups = new GroupIndex<number, number, readonly number[]>(records, (record) => record);
  expect([...groups.keys(0)]).toEqual([1]);
  groups.changed(1, range(0), range(1));
  expect([groups.keys(0).size, groups.keys(1).size, groups.keys(count).size]).toEqual([0, 1, 1]);
});

test('the indexes of a large table can be built in steps, before their first use', () => {
  const { table, sorted, texts, groups } = makeTable();
  for (let id = 0; id < 5_000; id += 1) table.put({ id, rank: id % 7, text: `text ${id}` });
  let steps = 0;
  for (const _ of table.prepare()) steps += 1;
  expect(steps).toBeGreaterThan(3);
  const reads = (['keys', 'values', 'entries'] as const).map((name) => vi.spyOn(table, name));
  expect(sorted.page(0, 2, false).map(({ id }) => id)).toEqual([0, 7]);
  expect(texts.candidates('text 4999')?.some(({ id }) => id === 4_999)).toBe(true);
  expect(groups.keys(6).size).toBe(714);
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});
