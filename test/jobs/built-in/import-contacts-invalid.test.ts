import { expect, test } from 'vitest';
import { formatContact } from '../../../src/jobs/built-in/contact-row.ts';
import { importContacts } from '../../../src/jobs/built-in/import-contacts.ts';
import { writeSource } from '../sources/files.ts';
import { plan, planOne } from './contact-file.ts';
import { rowsOf } from './in-process.ts';

test.each([
  ['no name', 'key,lastName\nc-1,""\n', 'the row needs a firstName or a lastName'],
  ['a wrong address', 'key,lastName,email\nc-1,A,ada\n', '"ada" is not an email address'],
  ['a wrong phone', 'key,lastName,phone\nc-1,A,unknown\n', '"unknown" is not a phone number'],
  ['a wrong messenger', 'key,lastName,messenger\nc-1,A,ada\n', 'a messenger must have the form <type ID>:<login>'],
  [
    'a wrong person',
    'key,lastName,responsibleId\nc-1,A,Ann\n',
    'responsibleId must be a whole number above 0, not "Ann"',
  ],
])('a row with %s is invalid, with its line and its values', async (_, csv, problem) => {
  const { row } = await planOne(csv);
  expect(row).toMatchObject({ key: 'c-1', line: 2, problem });
  expect(formatContact(row.values)).toMatchObject({ key: 'c-1' });
});

test.each([
  [
    'an unknown column',
    'key,lastName,foto\nc-1,A,b\n',
    'unknown columns: "foto". Rename or remove the columns, or skip them with --skip-columns foto. Known columns: key, ',
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
    ', line 2: the account has no active team member with the ID 999: the IDs of its active members are 77, 78. Nothing was planned.',
  ],
  ['one column twice', 'key,lastName,phone,phones\nc-1,A,1,2\n', 'two columns are called "phones".'],
  [
    'a row without a key',
    'key,lastName\n"",A\n',
    ', line 2: the row needs a key or externalContactId that identifies it.',
  ],
  ['two keys', 'key,externalContactId,lastName\na,b,A\n', ', line 2: fill in key or externalContactId, not both.'],
])('a whole file with %s is invalid, in one sentence', async (_, csv, problem) => {
  const { rows } = await plan(csv);
  await expect(rows()).rejects.toThrow(problem);
});

test('tags with the same name must be given by ID', async () => {
  const { api, rows, options } = await plan('key,lastName,tag\nc-1,A,VIP\n');
  const { id } = await api.crm.tags.create({ name: 'VIP' });
  await expect(rows()).rejects.toThrow(
    `the account has several tags named "VIP": write the ID instead, 15 or ${id}. Nothing was planned.`,
  );
  const file = await writeSource('contacts.csv', 'key,lastName,tag\nc-2,B,15\n');
  expect(await rowsOf(importContacts, { ...options, file }, api)).toMatchObject([{ values: { tags: [15] } }]);
});

test.each([
  [
    undefined,
    /, line 2: the responsible person is missing\. Fill in responsibleId, or pass an ID for all rows\. Nothing was planned\.$/,
  ],
  [
    999,
    /^The team member responsible for the contacts: the account has no active team member with the ID 999: the IDs of its active members are 77, 78\. Nothing/,
  ],
])('does not plan a job with %s as the responsible person', async (responsibleId, problem) => {
  const { api, options } = await plan('key,lastName\nc-1,A\n');
  const given = { file: options.file, ...(responsibleId !== undefined && { responsibleId }) };
  await expect(rowsOf(importContacts, given, api)).rejects.toThrow(problem);
});
