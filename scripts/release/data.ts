import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareData, type Kept } from './data/compare.ts';
import { dataFolders, openData, writeData } from './data/fixtures.ts';
import type { Judge } from './verdict.ts';

/**
 * Data of users: the next release opens the data that each release up to the base has written. If the base has no
 * fixtures of its version, it writes them now.
 */
export const dataJudge: Judge = {
  surface: 'data',
  async judge(base, next) {
    const kept: Kept[] = [];
    const folders = dataFolders(base.folder);
    for (const { version, folder } of folders) kept.push(...(await openData(folder, version, base, next)));
    if (!folders.some(({ version }) => version === base.version)) {
      const folder = mkdtempSync(join(tmpdir(), 'carillon-written-'));
      try {
        await writeData(base.folder, folder);
        kept.push(...(await openData(folder, base.version, base, next)));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return compareData(kept);
  },
};
