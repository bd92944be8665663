import { withPackages } from './packages/collect.ts';
import { comparePackages } from './packages/compare.ts';
import { tryInstall } from './packages/install.ts';
import type { Judge } from './verdict.ts';

/** Entries, files, commands, dependencies, engines and sizes of the packed packages, their checks, and whether they install and load. */
export const packagesJudge: Judge = {
  surface: 'packages',
  async judge(base, next) {
    const before = await withPackages(base.folder, async (packages) => packages);
    return withPackages(next.folder, async (packages, tarballs) => [
      ...comparePackages(before, packages),
      ...(await tryInstall(packages, tarballs, next.folder)),
    ]);
  },
};
