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

/** The entries with a function that creates a client. */
const clients = ['carillon/paths', ...specNames.map((name) => `carillon/${name}`), 'carillon'];

/**
 * Measures the built packages: bytes of bundles (minified and gzipped), type instantiations of programs over an
 * empty one, bytes of the file that npm fetches, and packages that are installed with this one.
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
