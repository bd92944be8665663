import { join } from 'node:path';
import type { Command } from 'commander';
import { createCommand, UsageError } from '../../src/shared/command-line.ts';
import { repositoryRoot } from '../spec/files.ts';

/** What is committed, and shown in the docs. */
export const resultsFolder = join(repositoryRoot, 'docs', 'benchmarks');

export interface Options {
  /** Names of parts. */
  only: string[];
  quick: boolean;
  output: string;
  /** The page with the headline; none for figures that are not to be shown. */
  page?: string;
}

/** What a user typed. */
export interface BenchFlags {
  only?: string;
  output?: string;
  report?: boolean;
  quick?: boolean;
}

export const benchCommand = (parts: readonly string[]): Command =>
  createCommand('npm run bench --', 'Measures this project and its alternatives side by side.')
    .option('--only <parts>', `some of: ${parts.join(',')}; the other results stay as they are`)
    .option('--output <folder>', 'where the results go (docs/benchmarks; with --quick .cache/benchmarks)')
    .option('--report', "measures nothing; rewrites Markdown, charts and the README's table from the existing results")
    .option('--quick', 'runs little, to check that everything works; the figures mean nothing');

/** Throws a `UsageError` for a part that does not exist. */
export function readOptions(
  { only, output, quick = false, report = false }: BenchFlags,
  parts: readonly string[],
): Options {
  const chosen = only?.split(',').map((name) => name.trim()) ?? [...parts];
  const unknown = chosen.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no part '${unknown}'. The parts are: ${parts.join(', ')}`);
  // Figures of short runs must not pass for results.
  const folder = output ?? (quick ? join(repositoryRoot, '.cache', 'benchmarks') : resultsFolder);
  const page = quick || output ? {} : { page: join(repositoryRoot, 'README.md') };
  return { only: report ? [] : chosen, quick, output: folder, ...page };
}
