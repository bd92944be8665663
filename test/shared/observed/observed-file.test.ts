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
import type { Account } from '../../../src/shared/observed/observed.ts';
import { ObservedFile } from '../../../src/shared/observed/observed-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-observed-'));
  path = join(folder, 'observed.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): ObservedFile => new ObservedFile(path, () => true);
const seen = (replies: number): Account => ({ listUsers: { 200: { replies, bodies: 0 } } });
const repliesIn = (): number | undefined => Object.values(open().account.listUsers ?? {})[0]?.replies;

describe('a file of observations', () => {
  it.each([1, 2, 3, 4, 8, 16, 32])(
    'keeps all observations if the process ends during a write, after %i turns',
    async (turns) => {
      const file = open();
      await file.add(seen(1));
      const adding = file.add(seen(10));
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      // `add` goes on here, but not in a process that has ended.
      expect(file.addNow(seen(100))).toBe(true);
      expect(repliesIn()).toBe(111);
      expect(existsSync(`${path}.new`)).toBe(false);
      await adding.catch(() => {});
    },
  );

  it('keeps the observations of a running write if the process ends', async () => {
    const file = open();
    const adding = file.add(seen(10));
    expect(file.addNow({})).toBe(true);
    expect(repliesIn()).toBe(10);
    await adding.catch(() => {});
  });

  it('keeps the observations of all learners of the process if it ends while one of them writes', async () => {
    const file = open();
    const adding = file.add(seen(10));
    expect([file.addNow(seen(100)), file.addNow(seen(1_000))]).toEqual([true, true]);
    expect(repliesIn()).toBe(1_110);
    await adding.catch(() => {});
  });

  it.each(['600', '660', '666'])('keeps the permissions %s of the file', async (octal) => {
    const mode = Number.parseInt(octal, 8);
    await open().add(seen(1));
    chmodSync(path, mode);
    await open().add(seen(1));
    expect(statSync(path).mode & 0o777).toBe(mode);
    open().addNow(seen(1));
    expect(statSync(path).mode & 0o777).toBe(mode);
  });

  it('removes the temporary file of an ended process whose clock was ahead', async () => {
    writeFileSync(`${path}.new`, '');
    const ahead = new Date(Date.now() + 3_600_000);
    utimesSync(`${path}.new`, ahead, ahead);
    expect(await open().addAndWait(seen(1))).toBe(true);
    expect(repliesIn()).toBe(1);
  });

  it('adds later if another process is writing', async () => {
    const file = open();
    writeFileSync(`${path}.new`, '');
    expect(await file.add(seen(1))).toBe(false);
    expect(file.addNow(seen(1))).toBe(false);
    rmSync(`${path}.new`);
    expect(await file.add(seen(1))).toBe(true);
    expect(repliesIn()).toBe(1);
    expect(readdirSync(folder)).toEqual(['observed.json']);
  });

  it('keeps a symbolic link and the permissions of its file', async () => {
    const target = join(folder, 'target.json');
    await new ObservedFile(target, () => true).add(seen(1));
    chmodSync(target, 0o600);
    symlinkSync(target, path);
    const file = open();
    await file.add(seen(1));
    expect(file.addNow(seen(1))).toBe(true);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(repliesIn()).toBe(3);
  });

  it('never overwrites an invalid file', async () => {
    const file = open();
    await file.add(seen(1));
    writeFileSync(path, 'not JSON');
    await expect(file.add(seen(1))).rejects.toThrow(/not JSON/);
    expect(() => file.addNow(seen(1))).toThrow(/not JSON/);
    expect(readFileSync(path, 'utf8')).toBe('not JSON');
    expect(readdirSync(folder)).toEqual(['observed.json']);
  });
});
