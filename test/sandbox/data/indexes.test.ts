import { expect, test } from 'vitest';
import * as z from 'zod';
import { GroupIndex } from '../../../src/sandbox/data/group-index.ts';
import { Ledger } from '../../../src/sandbox/data/ledger.ts';
import { Table } from '../../../src/sandbox/data/table.ts';
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
  const groups = table.watch(new GroupIndex<number, number, Readonly<Entry>>(({ rank }) => [rank]));
  return { ledger, table, groups };
}

const entry = fc.record({ id: fc.nat(30), rank: fc.nat(4), text: fc.string({ maxLength: 6 }) });
const change = fc.record({ entry, isDeleted: fc.boolean() });
const transaction = fc.record({ changes: fc.array(change, { maxLength: 6 }), fails: fc.boolean() });

test('indexes match a full scan after commits and roll-backs in any order', () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 20 }), (transactions) => {
      const { ledger, table, groups } = makeTable();
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
        for (let rank = 0; rank < 5; rank += 1) {
          const ids = all.filter((one) => one.rank === rank).map(({ id }) => id);
          expect([...groups.keys(rank)].sort()).toEqual(ids.sort());
        }
      }
    }),
    { numRuns: samples(40) },
  );
});

test('a record moves between groups, of which it has several', () => {
  const groups = new GroupIndex<number, number, readonly number[]>((record) => record);
  groups.changed(1, undefined, [0, 1, 2]);
  expect([...groups.keys(0)]).toEqual([1]);
  groups.changed(1, [0, 1, 2], [1, 2, 3]);
  expect([groups.keys(0).size, groups.keys(1).size, groups.keys(3).size]).toEqual([0, 1, 1]);
});
