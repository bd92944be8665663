import { expect, test } from 'vitest';
import { formatContact } from '../../../src/jobs/built-in/contact-row.ts';
import { sortColumns } from '../../../src/jobs/built-in/format-values.ts';
import { ada, header, plan, planOne } from './contact-file.ts';

test('a row written for repair reads back as the same contact', async () => {
  const { row } = await planOne(`${header}\n${ada}\n`);
  const written = JSON.stringify({
    key: 'c-1',
    state: 'rejected',
    line: 7,
    problem: 'x',
    ...formatContact(row.values),
  });
  const again = await planOne(written, 'repair.ndjson');
  expect(again.row.values).toEqual(row.values);
});

test('a row written for repair has only the columns and names of its file', async () => {
  const { row } = await planOne('key,last_name,tags,attribute:Birthday,attribute:311\nc-1,A,VIP,1990-05-14 00:00,\n');
  const written = formatContact(row.values);
  expect(written).toMatchObject({ lastName: 'A', tags: 'VIP', 'attribute:Birthday': '1990-05-14 00:00' });
  expect(Object.keys(written)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(attribute:310|responsibleId)$/)]),
  );
  const corrected = { key: 'c-1', ...written, 'attribute:Birthday': '1991-01-01 00:00' };
  const again = await planOne(JSON.stringify(corrected), 'repair.ndjson');
  expect(again.row.values.attributes).toEqual([{ attributeId: 310, value: '1991-01-01 00:00' }]);
});

test('two columns with values for one attribute are a problem of the row', async () => {
  const { row } = await planOne(
    'key,lastName,attribute:Birthday,attribute:310\nc-1,A,1990-05-14 00:00,1991-05-14 00:00\n',
  );
  expect(row.problem).toBe('"Birthday" and "310" are the same attribute: fill in only one of them');
});

test('the columns of a repair file have a fixed order, whatever the order of the rows', () => {
  const sorted = [
    'key',
    'state',
    'line',
    'problem',
    'firstName',
    'lastName',
    'phones',
    'tags',
    'attribute:A',
    'attribute:B',
  ];
  expect(sortColumns(sorted.toReversed())).toEqual(sorted);
});

test.each(['state', 'line', 'step', 'problem', 'outcome', 'result'])(
  'a column %s of the user is invalid, with its name, and no row is left out because of its value',
  async (column) => {
    const { rows } = await plan(`key,last_name,${column}\nc-1,A,unknown\nc-2,B,A1\n`);
    await expect(rows()).rejects.toThrow(`unknown columns: "${column}". Rename or remove the columns, or skip them`);
  },
);

test.each([
  ['line', 'A1', 'line must be a whole number above 0, not "A1"'],
  [
    'state',
    'unknwon',
    "state must be 'rejected', 'invalid' or 'unknown', as in the file that carillon-jobs wrote, not 'unknwon'",
  ],
])('a %s of a file to repair that cannot be read is invalid, with file and line', async (column, value, reason) => {
  const { rows } = await plan(`key,last_name,${column}\nc-1,A,\nc-2,B,${value}\n`, 'repair.csv');
  await expect(rows()).rejects.toThrow(`repair.csv, line 3: ${reason}`);
});
