/**
 * `npm run budgets`: measures the built package and prints the figures beside those of the last release
 * (`budgets/last-release.json`). Fails if a figure grew too much. `--save` stores the figures as those of the last
 * release.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { listPackages } from '../build/packages.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';
import { type Figure, findOvergrown, formatTable, permittedGrowth, type Release } from './budgets/figures.ts';
import { measure } from './budgets/measure.ts';

const growth = `${permittedGrowth * 100} %`;

const about = `Measures bundles and types of the built package (npm run build), and fails if one is more than ${growth} larger than in the last release.`;

/** The figures of the last release. */
export const lastRelease = join(import.meta.dirname, 'budgets', 'last-release.json');

export function runBudgets(args: string[]): Promise<number> {
  const command = createCommand('npm run budgets --', about).option(
    '--save',
    'save the figures as those of the last release',
  );
  return runCommand<{ save?: true }>(command, args, (flags) =>
    reportFailure('Nothing was measured', async () => {
      const unbuilt = listPackages().find(({ folder }) => !existsSync(join(repositoryRoot, folder, 'dist')));
      if (unbuilt) throw new Error(`There is no ${unbuilt.folder}/dist to measure: run npm run build first`);
      const figures = await measure();
      return flags.save ? save(figures) : compare(figures, JSON.parse(readFileSync(lastRelease, 'utf8')));
    }),
  );
}

function save(figures: Figure[]): number {
  const release: Release = Object.fromEntries(figures.map(({ name, value }) => [name, value]));
  writeFileSync(lastRelease, `${JSON.stringify(release, null, 2)}\n`);
  console.log(formatTable(figures, release));
  return 0;
}

function compare(figures: Figure[], release: Release): number {
  console.log(formatTable(figures, release));
  const overgrown = findOvergrown(figures, release).map(({ name }) => name);
  if (overgrown.length === 0) return 0;
  console.error(`
More than ${growth} larger than in the last release: ${overgrown.join(', ')}.
If the change should cost this, say so in its commit, and save the figures: npm run budgets -- --save`);
  return 1;
}
