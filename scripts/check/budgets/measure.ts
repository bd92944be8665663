import { join } from 'node:path';
import { listPackages } from '../../build/packages.ts';
import { repositoryRoot, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec } from '../../spec/model.ts';
import { measureBundle } from './bundles.ts';
import { countDependencies, readLock } from './dependencies.ts';
import type { Figure } from './figures.ts';
import { createInstantiationCounter } from './instantiations.ts';
import { measurePacked } from './packed.ts';
import { programs } from './programs.ts';
import { measureQuery } from './query-programs.ts';

/** The entries that export a client factory. */
const clients = ['carillon/paths', ...specNames.map((name) => `carillon/${name}`), 'carillon'];

/**
 * Measures the built packages: bundle sizes (minified and gzipped), type instantiations of programs beyond an empty one,
 * the size of the package file, and the number of installed dependencies.
 */
export async function measure(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const entry of clients) figures.push({ name: entry, unit: 'bytes', value: await measureBundle(entry) });
  figures.push(...(await measureQuery()));
  const instantiations = createInstantiationCounter();
  const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
  for (const [level, program] of Object.entries(programs)) {
    const value = instantiations(program(operations));
    figures.push({ name: `types of every operation, by ${level}`, unit: 'instantiations', value });
  }
  const lock = readLock(repositoryRoot);
  for (const { name, folder } of listPackages()) {
    const path = join(repositoryRoot, folder);
    figures.push({ name: `${name}, packed`, unit: 'bytes', value: await measurePacked('.', path) });
    figures.push({ name: `${name}, installed with it`, unit: 'packages', value: countDependencies(lock, folder) });
  }
  return figures;
}
