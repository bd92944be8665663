import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFolder } from '../../../scripts/build/replace.ts';

let root: string;
const dist = (): string => join(root, 'dist');
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'carillon-replace-'));
  await mkdir(dist());
  await writeFile(join(dist(), 'old.js'), 'old');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Fills a folder with one file. */
async function fill(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'new.js'), 'new');
}

test('the old folder exists during a build, and only the new one afterwards', async () => {
  await replaceFolder(dist(), async (fresh) => {
    await fill(fresh);
    expect(await readFile(join(dist(), 'old.js'), 'utf8')).toBe('old');
  });
  expect(await readdir(dist())).toEqual(['new.js']);
  expect(await readdir(root)).toEqual(['dist']);
});

test('a failed build keeps the old folder and removes the new one', async () => {
  const build = replaceFolder(dist(), async (fresh) => {
    await fill(fresh);
    throw new Error('It does not compile');
  });
  await expect(build).rejects.toThrow('It does not compile');
  expect(await readdir(dist())).toEqual(['old.js']);
  expect(await readdir(root)).toEqual(['dist']);
});

test('the first build needs no old folder', async () => {
  await rm(dist(), { recursive: true });
  await replaceFolder(dist(), fill);
  expect(await readdir(dist())).toEqual(['new.js']);
});
