import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeProblemRows } from '../../src/cli/command/each/write-problem-rows.ts';
import { writeTable } from '../../src/jobs/command/table-file.ts';
import { readCredentials, writeCredentials } from '../../src/shared/credentials.ts';
import { writePrivately } from '../../src/shared/private-file.ts';
import { removeLeftovers, temporaryName } from '../../src/shared/temporary-file.ts';
import { createSocketFile } from '../support/socket-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-temporary-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* rows() {
  yield { id: '1' };
}

/** Every way in which a file of ours is written under another name first. */
const writers: Readonly<Record<string, (file: string) => Promise<void> | void>> = {
  'the file of rejected rows': (file) => {
    writeProblemRows(file, 'ndjson', [], [{ line: 1, key: 'a', values: { a: 1 }, params: {}, problem: 'no' }]);
  },
  'a table of carillon-jobs': async (file) => void (await writeTable(file, rows)),
  'a private file': (file) => writePrivately(file, 'secret'),
};

it.skipIf(process.platform === 'win32')(
  'a private file does not replace a device, or the one that a link names',
  async () => {
    const socket = join(folder, 'socket.ndjson');
    const link = join(folder, 'link.ndjson');
    await createSocketFile(socket);
    symlinkSync(socket, link);
    for (const file of [socket, link]) expect(() => writePrivately(file, 'secret')).toThrow('is not a file');
    expect(statSync(socket).isSocket()).toBe(true);
  },
);

describe.skipIf(process.platform === 'win32').each(Object.entries(writers))('%s', (name, write) => {
  it('is not written through a planted link, and leaves no temporary file', async () => {
    const file = join(folder, 'out.ndjson');
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    for (const planted of [`${file}.unfinished`, `${file}.${process.pid}.tmp`, `${file}.new`])
      symlinkSync(victim, planted);
    await write(file);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(existsSync(file)).toBe(true);
    expect(readdirSync(folder).filter((one) => /[0-9a-f]{16}\.unfinished$/.test(one))).toEqual([]);
  });

  it('is private, or has the rights of the file that it replaces', async () => {
    const file = join(folder, 'out.ndjson');
    await write(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    if (name !== 'the file of rejected rows') return;
    chmodSync(file, 0o640);
    await write(file);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('removes what a process that ended has left', async () => {
    const file = join(folder, 'out.ndjson');
    const left = `${file}.999999999-0123456789abcdef.unfinished`;
    writeFileSync(left, '');
    utimesSync(left, 1, 1);
    await write(file);
    expect(existsSync(left)).toBe(false);
  });
});

it('leaves temporary files of processes that run, recent ones, and files of others', () => {
  const file = join(folder, 'a.csv');
  const kept = [
    temporaryName(file),
    `${file}.999999999-0123456789abcdef.unfinished`,
    `${file}.999999999-0123456789abcdef.unfinished.bak`,
    join(folder, 'b.csv.999999999-0123456789abcdef.unfinished'),
  ];
  for (const one of kept) writeFileSync(one, '');
  for (const one of [kept[0], kept[2], kept[3]]) utimesSync(one ?? '', 1, 1);
  removeLeftovers(file);
  expect(kept.filter((one) => !existsSync(one))).toEqual([]);
});

it('gives every temporary file another name', () => {
  expect(new Set(Array.from({ length: 100 }, () => temporaryName('a'))).size).toBe(100);
});

it.skipIf(process.platform === 'win32')(
  'keeps a linked file of credentials a link, also to a file that does not exist yet',
  () => {
    const target = join(folder, 'store.json');
    const link = join(folder, 'credentials.json');
    symlinkSync('store.json', link);
    const env = { CARILLON_CREDENTIALS: link };
    for (const key of ['first-key', 'second-key']) {
      writeCredentials({ baseUrl: 'https://api.example.com', auth: { apiKey: key } }, env);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect([statSync(target).mode & 0o777, readFileSync(target, 'utf8')]).toEqual([
        0o600,
        expect.stringContaining(key),
      ]);
      expect(readCredentials(env).auth).toEqual({ apiKey: key });
    }
  },
);
