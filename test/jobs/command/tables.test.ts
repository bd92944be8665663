import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { formatRecord } from '../../../src/jobs/built-in/format-record.ts';
import { runJobs } from '../../../src/jobs/command/command.ts';
import { writeTable } from '../../../src/jobs/command/table-file.ts';
import { readRows } from '../../../src/jobs/sources/read-rows.ts';
import { writeCredentials } from '../../../src/shared/credentials.ts';
import { collect, writeSource } from '../sources/files.ts';

const rows = [
  { key: 'a', note: 'two\nlines, "quoted"' },
  { key: 'b', phones: '1;2', more: { a: [1] } },
];

async function* read() {
  yield* rows;
}

test('a CSV table has the columns of all rows, and can be read back', async () => {
  const file = join(dirname(await writeSource('other', '')), 'rows.csv');
  expect(await writeTable(file, read)).toBe(2);
  expect(await readFile(file, 'utf8')).toBe(
    'key,note,phones,more\na,"two\nlines, ""quoted""",,\nb,,"1;2","{""a"":[1]}"\n',
  );
  expect((await collect(readRows(file))).map(({ values }) => values)).toEqual([
    { key: 'a', note: 'two\nlines, "quoted"', phones: '', more: '' },
    { key: 'b', note: '', phones: '1;2', more: '{"a":[1]}' },
  ]);
});

test('an NDJSON table has a line per row, and only its owner may read it', async () => {
  const file = join(dirname(await writeSource('other', '')), 'rows.ndjson');
  await writeTable(file, read);
  expect((await collect(readRows(file))).map(({ values }) => values)).toEqual(rows);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a table that fails half-way leaves no file', async () => {
  const file = join(dirname(await writeSource('other', '')), 'rows.ndjson');
  async function* fail() {
    yield { key: 'a' };
    throw new Error('the database is away');
  }
  await expect(writeTable(file, fail)).rejects.toThrow('the database is away');
  expect(await readdir(dirname(file))).toEqual(['other']);
});

test('writes a record as one row in CSV, and completely in NDJSON', () => {
  const results = {
    contact: {
      id: 7,
      phones: [
        { id: 1, phone: '1' },
        { id: 2, phone: '2' },
      ],
      tags: [
        { id: 15, name: 'VIP', colorText: 'x' },
        { id: 16, name: 'Newsletter' },
      ],
      messengers: [{ id: 3, typeId: 1, login: 'ada' }],
      attributes: [{ attributeId: 310, value: '1990' }],
    },
    deals: [{ id: 501, name: 'Renewal' }],
  };
  expect(formatRecord(results, 'contact', false)).toEqual({ ...results.contact, deals: results.deals });
  expect(formatRecord(results, 'contact', true)).toEqual({
    id: 7,
    phones: '1;2',
    tags: 'VIP;Newsletter',
    messengers: '1:ada',
    deals: [{ id: 501, name: 'Renewal' }],
    'attribute:310': '1990',
  });
});

const complained: string[] = [];
beforeEach(() => {
  complained.length = 0;
  // Messages begin with the command's name.
  vi.spyOn(console, 'error').mockImplementation((text: string) => {
    expect(text).toMatch(/^carillon-jobs: /);
    complained.push(text.replace('carillon-jobs: ', ''));
  });
  vi.stubEnv('DATABASE_URL', undefined);
  for (const name of ['PGHOST', 'PGDATABASE', 'PGSERVICE']) vi.stubEnv(name, '');
  vi.stubEnv('CARILLON_CREDENTIALS', '/nowhere/credentials.json');
  for (const name of ['BASE_URL', 'API_KEY', 'CLIENT_ID', 'CLIENT_SECRET']) vi.stubEnv(`CARILLON_${name}`, '');
});

test.each([
  [['import'], "Unknown command 'import'. carillon-jobs --help shows the usage."],
  [[], 'A command is missing. carillon-jobs --help shows the usage.'],
  [['run'], "Missing required argument 'job'. carillon-jobs run --help shows the usage."],
  [
    ['pause', 'a', 'b'],
    'Too many arguments. Expected 1 argument but got 2. carillon-jobs pause --help shows the usage.',
  ],
  [['work', '--concurrency', '0'], "--concurrency must be a whole number above 0, not '0'."],
  [['run', 'import', 'a.csv'], /^Unknown kind of job 'import'\. Choose one of: import-contacts, export-contacts, /],
  [
    ['run', 'export-deals', 'nowhere/a.csv'],
    'nowhere/a.csv: the folder nowhere does not exist, or this user cannot write to it.',
  ],
  [['run', 'export-deals', 'a.xlsx'], 'a.xlsx: the file name must end in .csv, .ndjson, .jsonl.'],
  [
    ['run', 'export-deals', 'a.csv', '--detail', 'deals'],
    "--detail must be one of attributes, comments, contacts, payments, not 'deals'.",
  ],
  [['run', 'send-campaign', 'a.csv'], 'send-campaign needs a --title that no other campaign has.'],
])('a usage error is one sentence with exit code 2: %j', async (args, sentence) => {
  expect(await runJobs('carillon-jobs', args)).toBe(2);
  expect(complained).toEqual([expect.stringMatching(sentence)]);
});

test.each([
  [
    ['run', 'import-contacts', 'a.csv'],
    /^There are no credentials\. Set CARILLON_BASE_URL and .*, or run carillon login\.$/,
  ],
])('exits with 3 without address or credentials, like carillon: %j', async (args, sentence) => {
  expect(await runJobs('carillon-jobs', args)).toBe(exitCodes.configuration);
  expect(complained).toEqual([expect.stringMatching(sentence)]);
});

test('names the variable of an invalid address', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/jobs');
  vi.stubEnv('CARILLON_BASE_URL', 'http://service.example');
  vi.stubEnv('CARILLON_API_KEY', 'any-key');
  expect(await runJobs('carillon-jobs', ['work'])).toBe(exitCodes.configuration);
  expect(complained).toEqual(['CARILLON_BASE_URL must use https to protect the credential']);
});

test.each([
  [['work'], 3],
  [['run', 'import-contacts', 'a.csv'], 3],
  // These pass the check, and fail because the database does not respond.
  [['run', 'import-contacts', 'a.csv', '--plan'], 1],
  [['run', 'export-deals', join(tmpdir(), 'deals.csv')], 1],
])('if changes need a terminal, %j without one exits with %d', async (args, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { CARILLON_CREDENTIALS: join(folder, 'credentials.json') };
  const auth = { apiKey: 'any-key' };
  writeCredentials({ baseUrl: 'https://service.example', auth }, own, { changesNeedTerminal: true });
  vi.stubEnv('CARILLON_CREDENTIALS', own.CARILLON_CREDENTIALS);
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/jobs');
  expect(await runJobs('carillon-jobs', args)).toBe(code);
  expect(complained).toEqual([
    expect.stringMatching(
      code === 3
        ? /^On this machine, calls that change data must be run in a terminal/
        : /^The database cannot be reached/,
    ),
  ]);
});

test('--version prints the package version', async () => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await runJobs('carillon-jobs', ['--version'])).toBe(0);
  expect(print.mock.calls.flat()).toEqual([manifest.version]);
});

test.each(['--api-key', '--password', '--database'])(
  'has no option %s, because credentials come from the environment',
  async (option) => {
    expect(await runJobs('carillon-jobs', ['run', 'import-contacts', 'a.csv', option, 'secret'])).toBe(2);
    expect(complained).toEqual([`Unknown option '${option}'. carillon-jobs run --help shows the usage.`]);
  },
);

test('reports an unreachable database in a sentence without its password', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://user:s3cret@127.0.0.1:1/jobs');
  expect(await runJobs('carillon-jobs', ['status'])).toBe(1);
  expect(complained).toEqual([expect.stringMatching(/^The database cannot be reached/)]);
  expect(complained.join()).not.toContain('s3cret');
});
