import { dirname } from 'node:path';
import { contactSource } from '../../../src/jobs/built-in/contact-source.ts';
import { importContacts } from '../../../src/jobs/built-in/import-contacts.ts';
import { writeSource } from '../sources/files.ts';
import { openAccount, rowsOf, runRow } from './in-process.ts';

export const header = 'key,first_name,last_name,phones,emails,messengers,tags,attribute:Birthday,attribute:311';
/** A row with a value in every column of `header`. */
export const ada =
  'c-1,Ada,Adler,+1 555 0100;+1 555 0101,ada@example.com;a.adler@example.com,1:ada;2:adler,VIP;16,1990-05-14 00:00,"[""Tea""]"';

/** Prepares an import of a file with a new sandbox. `rows` reads the file, as one of rows to repair if its name says so. */
export async function plan(csv: string, name = 'contacts.csv') {
  const account = openAccount();
  const file = await writeSource(name, csv);
  const options = { file, responsibleId: 77 };
  const isRepair = name.startsWith('repair.');
  const definition: typeof importContacts = {
    ...importContacts,
    source: (given, { api }) => contactSource(given, api, { isRepair }),
  };
  return { ...account, options, folder: dirname(file), rows: () => rowsOf(definition, options, account.api) };
}

/** Like `plan`, for a file with one row. */
export async function planOne(csv: string, name?: string) {
  const planned = await plan(csv, name);
  const [row, ...others] = await planned.rows();
  if (!row || others.length > 0) throw new Error('The file must have one row');
  return { ...planned, row, run: () => runRow(importContacts, row, planned.options, planned.api) };
}
