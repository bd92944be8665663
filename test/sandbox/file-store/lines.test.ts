import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { writeLine, writeRecords } from '../../../src/sandbox/file-store/journal-lines.ts';
import { readChanges } from '../../../src/sandbox/file-store/read-lines.ts';
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

/** A value, and records that differ from it in some fields. */
const records = fc
  .tuple(json.value, fc.array(fc.tuple(json.value, fc.boolean()), { maxLength: 4 }))
  .map(([first, others]) => [first, ...others.map(([other, isMixed]) => (isMixed ? mix(first, other) : other))]);

/** The fields of the one with some values of the other. */
function mix(one: unknown, other: unknown): unknown {
  return isFields(one) && isFields(other)
    ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, other[name] ?? value]))
    : one;
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('records of a line, which are written as what differs from the one before, read as they were', () => {
  fc.assert(
    fc.property(records, (values) => {
      const written = values.map((value) => JSON.stringify(value));
      writeFileSync(file, writeRecords(values.map((value, key) => record(key, value))));
      const read = [...readChanges(file, false)];
      expect(read.map(({ key }) => key)).toEqual(values.map((_, key) => key));
      // As JSON: the order of the fields counts, and `__proto__` is a field.
      expect(read.map(({ value }) => JSON.stringify(value))).toEqual(written);
    }),
  );
});

test.each([
  [
    'a field is undefined',
    [
      { a: 1, b: undefined, c: 3 },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: undefined, c: 3 },
    ],
  ],
  [
    'fields have another order',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 2 },
    ],
  ],
  [
    'inner fields have other names',
    [{ a: { b: 1 } }, { a: { c: 1 } }, { a: {} }, { a: null }, { a: [] }, { a: { b: 1 } }],
  ],
  ['a field is __proto__', [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":{"a":1}}')]],
])('records of which %s read as they were', (_, values) => {
  writeFileSync(file, writeRecords(values.map((value, key) => record(key, value))));
  const read = [...readChanges(file, false)].map(({ value }) => JSON.stringify(value));
  expect(read).toEqual(values.map((value) => JSON.stringify(value)));
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
  writeFileSync(file, '["","crm.deals",[1,2],[{"place":1},{"place":2}]]\n');
  expect([...readChanges(file, false)]).toEqual([record(1, { place: 1 }), record(2, { place: 2 })]);
});

test('a line whose keys do not fit its records is an error that names the line', () => {
  for (const line of [
    '["","crm.deals",[1,2],[{}]]',
    '["","crm.deals",[null],[{}]]',
    '["",7,[1],[{}]]',
    '["","crm.deals",[1],{},[{}]]',
    '["","crm.deals",[1,2],{},{}]',
    '["","crm.deals"]',
  ]) {
    writeFileSync(file, `[[""]]\n${line}\n`);
    expect(() => [...readChanges(file, false)]).toThrow(/snapshot-000001\.jsonl, line 2: /);
  }
});
