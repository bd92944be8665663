import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { checksumOf, readRows } from '../../../src/jobs/sources/read-rows.ts';
import { collect, writeSource } from './files.ts';

async function read(name: string, content: string | Uint8Array): Promise<unknown> {
  const file = await writeSource(name, content);
  return collect(readRows(file)).catch(({ message }: Error) => message.replaceAll(`${dirname(file)}/`, ''));
}

describe('a CSV file', () => {
  it('yields each row with its first line number', async () => {
    const text = 'key,note\r\na,1\r\n\r\nb,"two\r\nlines"\r\nc,"a ""quoted"", word"\r\n';
    expect(await read('a.csv', text)).toEqual([
      { line: 2, values: { key: 'a', note: '1' } },
      { line: 4, values: { key: 'b', note: 'two\nlines' } },
      { line: 6, values: { key: 'c', note: 'a "quoted", word' } },
    ]);
  });

  it.each([
    ['commas', 'key,note\na,1;2\n', '1;2'],
    ['semicolons', 'key;note\na;1,2\n', '1,2'],
    ['tabs', 'key\tnote\na\t1,2;3\n', '1,2;3'],
  ])('can have %s between values', async (_, text, note) => {
    expect(await read('a.csv', text)).toEqual([{ line: 2, values: { key: 'a', note } }]);
  });

  it('can begin with a byte order mark, and end without a line break', async () => {
    expect(await read('a.csv', '\uFEFFkey,note\na,1')).toEqual([{ line: 2, values: { key: 'a', note: '1' } }]);
  });

  it.each([
    [
      'too few values',
      'key,note\na,1\nb\n',
      'line 3: the number of values differs from the number of columns, which is 2.',
    ],
    [
      'too many values',
      'key,note\na,1,2\n',
      'line 2: the number of values differs from the number of columns, which is 2.',
    ],
    [
      'a quote that does not end',
      'key,note\na,1\nb,"2\nc,3\n',
      'line 4: a quoted value that begins on this line or an earlier line is not closed.',
    ],
    [
      'a quote inside a value',
      'key,note\na,"1" or 2\n',
      'line 2: a value contains a quote: double the quote, and enclose the value in quotes.',
    ],
    ['a column without a name', 'key,,note\n', 'line 1: column 2 has no name.'],
    ['two columns with one name', 'key,note,key\n', 'line 1: two columns have the name "key".'],
  ])('with %s is invalid, in a sentence that names the line', async (_, text, problem) => {
    expect(await read('a.csv', text)).toBe(`a.csv, ${problem}`);
  });

  it('is invalid if empty', async () => {
    expect(await read('a.csv', '')).toBe('a.csv: the file is empty.');
  });
});

describe('an NDJSON file', () => {
  it('yields each row with its line', async () => {
    expect(await read('a.ndjson', '{"key":"a","phones":["1"]}\n\n{"key":"b"}')).toEqual([
      { line: 1, values: { key: 'a', phones: ['1'] } },
      { line: 3, values: { key: 'b' } },
    ]);
  });

  it.each([
    ['no JSON', '{"key":"a"}\n{"key":', 'line 2: the line is not JSON.'],
    ['an array', '["a"]\n', 'line 1: the line is not a JSON object.'],
  ])('with a line that is %s is invalid, in a sentence that names the line', async (_, text, problem) => {
    expect(await read('a.ndjson', text)).toBe(`a.ndjson, ${problem}`);
  });
});

test('names the line that is not UTF-8, even far into the file', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `k-${index},Müller\n`);
  const bytes = Buffer.concat([Buffer.from(`key,note\n${many.join('')}`), Buffer.from('x,M\xfcller\n', 'latin1')]);
  expect(await read('a.csv', bytes)).toBe('a.csv, line 10002: the line is not UTF-8. Save the file in UTF-8.');
});

test('keeps multi-byte characters whole across chunks', async () => {
  const note = 'ü€𝄞'.repeat(100);
  const keys = Array.from({ length: 500 }, (_, index) => `k-${index}`);
  const rows = await read('a.ndjson', keys.map((key) => JSON.stringify({ key, note })).join('\n'));
  expect(rows).toEqual(keys.map((key, index) => ({ line: index + 1, values: { key, note } })));
});

test('an endless line is invalid before it fills the memory', async () => {
  expect(await read('a.ndjson', Buffer.alloc(17 * 1024 * 1024, 'a'))).toBe(
    'a.ndjson, line 1: the line is longer than 16 MiB.',
  );
});

test.each([
  ['no-such.csv', 'there is no such file.'],
  ['folder.csv', 'this is a folder.'],
])('reports a source that cannot be opened in a sentence: %s', async (name, problem) => {
  const folder = dirname(await writeSource('a.csv', ''));
  const path = name === 'folder.csv' ? folder : join(folder, name);
  await expect(checksumOf(path)).rejects.toThrow(`${path}: ${problem}`);
  const file = name === 'folder.csv' ? path : join(folder, name);
  if (name !== 'folder.csv') await expect(collect(readRows(file))).rejects.toThrow(`${file}: ${problem}`);
});

test('a file with another extension is invalid', async () => {
  const rows = collect(readRows('contacts.xlsx'));
  await expect(rows).rejects.toThrow('contacts.xlsx: the name must end in .csv, .ndjson, .jsonl.');
});

test('the checksum changes with any byte of the file, but not with its name', async () => {
  const one = await checksumOf(await writeSource('a.csv', 'key\na\n'));
  expect(await checksumOf(await writeSource('b.csv', 'key\na\n'))).toBe(one);
  expect(await checksumOf(await writeSource('a.csv', 'key\nb\n'))).not.toBe(one);
});

test('closes the file if the reader stops early', async () => {
  const file = await writeSource('a.csv', `key\n${'a\n'.repeat(60_000)}`);
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  for await (const { line } of readRows(file)) if (line === 3) break;
  await expect.poll(open).toBeLessThanOrEqual(before);
});
