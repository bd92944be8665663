import { repositoryRoot, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec } from '../../spec/model.ts';
import { measureBundle } from './bundles.ts';
import { countDependencies, readLock } from './dependencies.ts';
import type { Figure } from './figures.ts';
import { createInstantiationCounter } from './instantiations.ts';
import { measurePacked } from './packed.ts';
import { programs } from './programs.ts';
import { measureQuery, type QueryBudget } from './query-programs.ts';

export interface Budgets {
  /** Entry → bytes of its bundle, minified and gzipped; 1 kB is 1,000 bytes. */
  bytes: Record<string, number>;
  /** Bytes of the factories of queries, minified and gzipped. */
  query?: QueryBudget;
  /** Program → type instantiations over an empty one. */
  instantiations: Record<string, number>;
  /** Bytes of the file that npm fetches. */
  packed?: number;
  /** Packages that are installed with this one. */
  dependencies?: number;
}

/** Measures the built package in `dist/`: what has a budget, and nothing else. */
export async function measure(budgets: Budgets): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [entry, budget] of Object.entries(budgets.bytes)) {
    figures.push({ name: entry, unit: 'bytes', value: await measureBundle(entry), budget });
  }
  if (budgets.query) figures.push(...(await measureQuery(budgets.query)));
  const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
  const instantiations = createInstantiationCounter();
  for (const [level, budget] of Object.entries(budgets.instantiations)) {
    const program = programs[level];
    if (!program) throw new Error(`There is no program '${level}' to measure: ${Object.keys(programs).join(', ')}`);
    const name = `${operations.length} calls by ${level}`;
    figures.push({ name, unit: 'instantiations', value: instantiations(program(operations)), budget });
  }
  if (budgets.packed !== undefined) {
    const value = await measurePacked('.', repositoryRoot);
    figures.push({ name: 'the packed package', unit: 'bytes', value, budget: budgets.packed });
  }
  if (budgets.dependencies !== undefined) {
    const value = countDependencies(readLock(repositoryRoot), '');
    figures.push({ name: 'installed with it', unit: 'packages', value, budget: budgets.dependencies });
  }
  return figures;
}
