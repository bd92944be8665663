import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeLine, writeRecords } from '../../../src/file-store/journal-lines.ts';
import { readChanges } from '../../../src/file-store/read-lines.ts';
import { share } from '../../../src/file-store/share.ts';
import fc from '../../fast-check.ts';

let file: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-lines-'));
  file = join(folder, 'snapshot-000001.jsonl');
  return () => rmSync(folder, { recursive: true, force: true });
});

const record = (key: number, value: unknown) => ({ world: '', table: 'crm.deals', key, value });

/** Few names and values, so that records often share some; `__proto__` is a name that JSON permits. */
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, tie('leaf'), fc.array(tie('value'), { maxLength: 3 }), tie('fields')),
  leaf: fc.constantFrom(null, true, 1, 'a', 'a text that is longer'),
  fields: fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__'), tie('value')),
}));

test('a record that shares parts with the one before reads as it was written, and leaves that one unchanged', () => {
  fc.assert(
    fc.property(json.value, json.value, (one, other) => {
      const [before, after] = [JSON.stringify(one), JSON.stringify(other)];
      const first: unknown = JSON.parse(before);
      expect(JSON.stringify(share(JSON.parse(after), first))).toBe(after);
      expect(JSON.stringify(first)).toBe(before);
    }),
  );
});

test('equal parts of the records in a line are in memory once', () => {
  const email = (id: number) => ({
    id,
    from: { email: 'sales@example.com' },
    to: [{ email: `c${id}@example.com` }],
    cc: [],
  });
  writeFileSync(file, writeRecords([record(1, email(1)), record(2, email(2))]));
  const [first, second] = [...readChanges(file, false)].map(({ value }) => value as ReturnType<typeof email>);
  expect([first, second]).toEqual([email(1), email(2)]);
  expect([second?.from === first?.from, second?.cc === first?.cc, second?.to === first?.to]).toEqual([
    true,
    true,
    false,
  ]);
});

test('lines of any length are read, and characters of several bytes, whole', () => {
  const values = [700_000, 400_000, 1_500_000, 3].map((length, key) => record(key, '€'.repeat(length)));
  writeFileSync(file, values.map((value) => writeLine([value])).join(''));
  expect([...readChanges(file, false)]).toEqual(values);
});

test('a snapshot of an earlier version, with one row for each record, is read', () => {
  writeFileSync(file, '[[""],["","crm.deals",1,{"place":1}],["","crm.deals",2]]\n');
  expect([...readChanges(file, false)]).toEqual([
    { world: '' },
    record(1, { place: 1 }),
    { world: '', table: 'crm.deals', key: 2 },
  ]);
});

test('a line whose keys do not fit its records is an error that names the line', () => {
  for (const line of [
    '["","crm.deals",[1,2],[{}]]',
    '["","crm.deals",[null],[{}]]',
    '["",7,[1],[{}]]',
    '["","crm.deals"]',
  ]) {
    writeFileSync(file, `[[""]]\n${line}\n`);
    expect(() => [...readChanges(file, false)]).toThrow(/snapshot-000001\.jsonl, line 2: /);
  }
});
