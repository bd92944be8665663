/** `npm run budgets`: measures the built package against `budgets/budgets.json`; fails if a figure exceeds its budget. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBundle } from './budgets/bundles.ts';
import { countDependencies, readLock } from './budgets/dependencies.ts';
import { type Figure, formatTable, isOver } from './budgets/figures.ts';
import { createInstantiationCounter } from './budgets/instantiations.ts';
import { measurePacked } from './budgets/packed.ts';
import { programs } from './budgets/programs.ts';
import { repositoryRoot, specNames } from './spec/files.ts';
import { listOperations, loadSpec } from './spec/model.ts';

interface Budgets {
  /** Entry → size of its bundle in bytes, minified and gzipped. 1 kB is 1,000 bytes. */
  bytes: Record<string, number>;
  /** Program → type instantiations in addition to those of an empty program. */
  instantiations: Record<string, number>;
  /** Size in bytes of the file that npm downloads. */
  packed?: number;
  /** Number of packages installed with this one. */
  dependencies?: number;
}

async function measure(budgets: Budgets): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [entry, budget] of Object.entries(budgets.bytes)) {
    figures.push({ name: entry, unit: 'bytes', value: await measureBundle(entry), budget });
  }
  const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
  const instantiations = createInstantiationCounter();
  for (const [level, budget] of Object.entries(budgets.instantiations)) {
    const program = programs[level];
    if (!program) throw new Error(`There is no program '${level}' to measure: ${Object.keys(programs).join(', ')}`);
    const name = `${operations.length} calls by ${level}`;
    figures.push({ name, unit: 'instantiations', value: instantiations(program(operations)), budget });
  }
  if (budgets.packed !== undefined) {
    figures.push({
      name: 'the packed package',
      unit: 'bytes',
      value: await measurePacked('.', repositoryRoot),
      budget: budgets.packed,
    });
  }
  if (budgets.dependencies !== undefined) {
    const value = countDependencies(readLock(repositoryRoot), '');
    figures.push({ name: 'installed with it', unit: 'packages', value, budget: budgets.dependencies });
  }
  return figures;
}

try {
  const { values } = parseArgs({ options: { budgets: { type: 'string' } } });
  if (!existsSync(join(repositoryRoot, 'dist')))
    throw new Error('There is no dist/ to measure: run npm run build first');
  const file = values.budgets ?? join(import.meta.dirname, 'budgets', 'budgets.json');
  const figures = await measure(JSON.parse(readFileSync(file, 'utf8')));
  console.log(formatTable(figures));
  if (figures.some(isOver)) {
    console.error('\nOver budget. Make it smaller; raising a budget is a decision of its own.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`Nothing was measured: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
