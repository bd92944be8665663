import { dirname } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { columnsOf, formatContact } from '../../../src/jobs/ready/contact-row.ts';
import { sortColumns } from '../../../src/jobs/ready/format-values.ts';
import { importContacts } from '../../../src/jobs/ready/import-contacts.ts';
import type { Fault, Sandbox } from '../../../src/sandbox/index.ts';
import { writeSource } from '../sources/files.ts';
import { openAccount, rowsOf, runRow } from './in-process.ts';

const header = 'key,first_name,last_name,phones,emails,messengers,tags,attribute:Birthday,attribute:311';
const ada =
  'c-1,Ada,Adler,+1 555 0100;+1 555 0101,ada@example.com;a.adler@example.com,1:ada;2:adler,VIP;16,1990-05-14 00:00,"[""Tea""]"';

async function plan(csv: string, name = 'contacts.csv') {
  const account = openAccount();
  const file = await writeSource(name, csv);
  const options = { file, responsibleId: 77 };
  return { ...account, options, folder: dirname(file), rows: () => rowsOf(importContacts, options, account.api) };
}

async function planOne(csv: string, name?: string) {
  const planned = await plan(csv, name);
  const [row, ...others] = await planned.rows();
  if (!row || others.length > 0) throw new Error('The file must have one row');
  return { ...planned, row, run: () => runRow(importContacts, row, planned.options, planned.api) };
}

/** The contacts that were not there before, without IDs of details. */
function created({ state }: Sandbox) {
  return [...state.crm.contacts.values()]
    .filter(({ record }) => record.id > 10_000)
    .map(({ record, phones, emails, messengers, tags, values }) => ({
      ...record,
      phones: phones.map(({ phone }) => phone),
      emails: emails.map(({ email, isMain }) => [email, isMain]),
      messengers: messengers.map(({ typeId, login }) => [typeId, login]),
      tags,
      values,
    }));
}

const expected = {
  id: expect.any(Number),
  responsibleId: 77,
  firstName: 'Ada',
  lastName: 'Adler',
  externalContactId: 'marker-c-1-contact',
  phones: ['+1 555 0100', '+1 555 0101'],
  emails: [
    ['ada@example.com', true],
    ['a.adler@example.com', false],
  ],
  messengers: [
    [1, 'ada'],
    [2, 'adler'],
  ],
  tags: [15, 16],
  values: [
    { attributeId: 310, value: '1990-05-14 00:00' },
    { attributeId: 311, value: '["Tea"]' },
  ],
};

test('a row of a CSV file becomes one contact with everything in the row', async () => {
  const { sandbox, run } = await planOne(`${header}\n${ada}\n`);
  await run();
  expect(created(sandbox)).toEqual([expected]);
});

test('a row of an NDJSON file becomes the same contact', async () => {
  const row = {
    key: 'c-1',
    firstName: 'Ada',
    lastName: 'Adler',
    phones: ['+1 555 0100', '+1 555 0101'],
    emails: ['ada@example.com', 'a.adler@example.com'],
    messengers: [
      { typeId: 1, login: 'ada' },
      { typeId: 2, login: 'adler' },
    ],
    tags: ['VIP', 16],
    attributes: { Birthday: '1990-05-14 00:00', Interests: ['Tea'] },
  };
  const { sandbox, run } = await planOne(`${JSON.stringify(row)}\n`, 'contacts.ndjson');
  await run();
  expect(created(sandbox)).toEqual([expected]);
});

const requests = [
  { operation: 'createContact', step: 'contact' },
  { operation: 'createContactEmails', step: 'emails' },
  { operation: 'createContactPhone', step: 'phone 1' },
  { operation: 'createContactPhone', nth: 2, step: 'phone 2' },
  { operation: 'createContactMessenger', step: 'messenger 1' },
  { operation: 'createContactMessenger', nth: 2, step: 'messenger 2' },
  { operation: 'assignTag', nth: 2, step: 'tag 2' },
] as const;

describe.each(requests)('$step', ({ step, ...request }) => {
  it.each([
    ['its reply is lost', { drop: 'after' }, true],
    ['its request is lost', { drop: 'before' }, false],
  ] satisfies [string, Fault, boolean][])('is done once if %s', async (_, fault, isFound) => {
    const { sandbox, run } = await planOne(`${header}\n${ada}\n`);
    sandbox.faults.add({ ...request, ...fault });
    const { found } = await run();
    expect(Object.keys(found)).toEqual([step]);
    expect(found[step] !== undefined).toBe(isFound);
    expect(created(sandbox)).toEqual([expected]);
  });
});

test('a lost contact with an ID of the user is found by this ID', async () => {
  const { sandbox, run } = await planOne('externalContactId,lastName,phone\nown-7,Adler,1 555\n');
  sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  const { results, found } = await run();
  expect(found.contact).toBe(results.contact);
  expect(created(sandbox)).toMatchObject([{ externalContactId: 'own-7', phones: ['1 555'] }]);
});

test('an ID of the user that an older contact has is refused before anything is sent', async () => {
  const { sandbox, run } = await planOne('externalContactId,firstName,lastName\nimport-2026-11,Ben,Ito\n');
  await expect(run()).rejects.toThrow('contact 3002 has the externalContactId of this row already');
  expect(created(sandbox)).toEqual([]);
});

test('a phone that the service stored in another form is not added twice', async () => {
  const { sandbox, row, options, api } = await planOne('key,lastName,phones\nc-1,Adler,0151 5550100\n');
  const changed = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const reply = await sandbox.fetch(input, init);
    return new Response((await reply.text()).replace('0151 5550100', '+491515550100'), reply);
  };
  sandbox.faults.add({ operation: 'createContactPhone', drop: 'after' });
  const run = runRow(importContacts, row, options, api.withOptions({ fetch: changed }));
  await expect(run).rejects.toThrow(/does not show whether contact \d+ has these phones/);
  expect(created(sandbox)).toMatchObject([{ phones: ['0151 5550100'] }]);
});

test.each([
  ['no name', 'key,lastName\nc-1,""\n', 'it needs a firstName or a lastName'],
  ['a wrong address', 'key,lastName,email\nc-1,A,ada\n', '"ada" is not an email address'],
  ['a wrong phone', 'key,lastName,phone\nc-1,A,unknown\n', '"unknown" is not a phone number'],
  ['a wrong messenger', 'key,lastName,messenger\nc-1,A,ada\n', 'a messenger must have the form <type ID>:<login>'],
  [
    'a wrong person',
    'key,lastName,responsibleId\nc-1,A,Ann\n',
    'responsibleId must be a whole number above 0, not "Ann"',
  ],
])('a row with %s is refused with its line, and kept as it was read', async (_, csv, problem) => {
  const { row } = await planOne(csv);
  expect(row).toMatchObject({ key: 'c-1', line: 2, problem });
  expect(formatContact(row.values)).toMatchObject({ key: 'c-1' });
});

test.each([
  [
    'an unknown column',
    'key,lastName,foto\nc-1,A,b\n',
    'there is no column "foto". Rename or remove it. Known columns: key, ',
  ],
  [
    'an unknown attribute',
    'key,lastName,attribute:Shoe size\nc-1,A,44\n',
    ', line 2: the account has no contact attribute "Shoe size". Nothing was planned.',
  ],
  [
    'a tag that does not exist',
    'key,lastName,tag\nc-1,A,VIP\nc-2,A,VIPs\n',
    ', line 3: the account has no tag "VIPs". Nothing was planned.',
  ],
  [
    'a person who is no team member',
    'key,lastName,responsibleId\nc-1,A,999\n',
    ', line 2: the account has no active team member with the ID 999: it has 77, 78. Nothing was planned.',
  ],
  ['one column twice', 'key,lastName,phone,phones\nc-1,A,1,2\n', 'two columns are called "phones".'],
  [
    'a row without a key',
    'key,lastName\n"",A\n',
    ', line 2: the row needs a key or externalContactId, which identifies it.',
  ],
  ['two keys', 'key,externalContactId,lastName\na,b,A\n', ', line 2: fill key or externalContactId, not both.'],
])('a file with %s is refused as a whole, in one sentence', async (_, csv, problem) => {
  const { rows } = await plan(csv);
  await expect(rows()).rejects.toThrow(problem);
});

test('several tags of one name have to be told apart by ID', async () => {
  const { api, rows, options } = await plan('key,lastName,tag\nc-1,A,VIP\n');
  const { id } = await api.crm.tags.create({ name: 'VIP' });
  await expect(rows()).rejects.toThrow(
    `several of the account's tags have the name "VIP": write the ID instead, 15 or ${id}. Nothing was planned.`,
  );
  const file = await writeSource('contacts.csv', 'key,lastName,tag\nc-2,B,15\n');
  expect(await rowsOf(importContacts, { ...options, file }, api)).toMatchObject([{ values: { tags: [15] } }]);
});

test.each([
  [
    undefined,
    /, line 2: nobody is responsible: fill responsibleId, or pass an ID for all rows\. Nothing was planned\.$/,
  ],
  [
    999,
    /^The responsible person of the job: the account has no active team member with the ID 999: it has 77, 78\. Nothing/,
  ],
])('a job whose responsible person is %s is not planned', async (responsibleId, problem) => {
  const { api, options } = await plan('key,lastName\nc-1,A\n');
  const given = { file: options.file, ...(responsibleId !== undefined && { responsibleId }) };
  await expect(rowsOf(importContacts, given, api)).rejects.toThrow(problem);
});

test('a row that is written for repair is read as the same contact', async () => {
  const { row } = await planOne(`${header}\n${ada}\n`);
  const written = JSON.stringify({ key: 'c-1', state: 'refused', line: 7, problem: 'x', ...formatContact(row.values) });
  const again = await planOne(written, 'repair.ndjson');
  expect(again.row.values).toEqual(row.values);
});

test('a row that is written for repair has the columns and names of its file, and no other', async () => {
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
  expect(row.problem).toBe('"Birthday" and "310" are the same attribute: fill one of them');
});

test.each([
  ['attributes', ['attribute:Birthday']],
  ['phone 2', ['phones']],
  ['tag 1', ['tags']],
  ['contact', []],
])('a refusal of the step %s names the columns %j', async (step, columns) => {
  const { row } = await planOne('key,last_name,attribute:Birthday,attribute:311\nc-1,A,tomorrow,\n');
  expect(columnsOf(step, row.values)).toEqual(columns);
});

test('the columns of a file of rows to repair have one order, whatever the order of the rows', () => {
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
