import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillOnce, userCache } from '../../../scripts/command-line/user-cache.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'carillon-cache-'));
  vi.stubEnv('XDG_CACHE_HOME', cache);
});
afterEach(() => rmSync(cache, { recursive: true }));

const write = (text: string) => async (folder: string) => writeFileSync(join(folder, 'file'), text);

test('the cache is below XDG_CACHE_HOME, or ~/.cache', () => {
  expect(userCache('tools')).toBe(join(cache, 'carillon', 'tools'));
  vi.stubEnv('XDG_CACHE_HOME', '');
  vi.stubEnv('HOME', '/home/ann');
  expect(userCache('tools')).toBe('/home/ann/.cache/carillon/tools');
});

test('a folder is filled once, and is complete when it appears', async () => {
  const folder = userCache('tools');
  await fillOnce(folder, async (fresh) => {
    await write('first')(fresh);
    expect(readdirSync(userCache())).not.toContain('tools');
  });
  await fillOnce(folder, write('second'));
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first');
  expect(readdirSync(userCache())).toEqual(['tools']);
});

test('of two processes that fill a folder at once, the first wins and the other uses it', async () => {
  const folder = userCache('tools');
  await fillOnce(folder, async (fresh) => {
    await write('slow')(fresh);
    await fillOnce(folder, write('fast'));
  });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('fast');
  expect(readdirSync(userCache())).toEqual(['tools']);
});

test('a failure leaves nothing behind', async () => {
  const failing = fillOnce(userCache('tools'), async (fresh) => {
    await write('half')(fresh);
    throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
  expect(readdirSync(userCache())).toEqual([]);
});
