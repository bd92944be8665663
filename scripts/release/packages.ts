import { withPackages } from './packages/collect.ts';
import { comparePackages } from './packages/compare.ts';
import { tryInstall } from './packages/install.ts';
import type { Judge } from './verdict.ts';

/**
 * Entries, files, commands, dependencies, engines and sizes of the packed packages, the results of their checks, and
 * whether they install and load.
 */
export const packagesJudge: Judge = {
  surface: 'packages',
  async judge(base, next) {
    return withPackages(next.folder, true, async (packages, tarballs) => {
      // Only new problems count, so without problems the base need not be checked.
      const hasProblems = Object.values(packages).some(({ problems }) => problems.length > 0);
      const before = await withPackages(base.folder, hasProblems, async (found) => found);
      return [...comparePackages(before, packages), ...(await tryInstall(packages, tarballs, next.folder))];
    });
  },
};
