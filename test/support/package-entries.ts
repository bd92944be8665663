import { join } from 'node:path';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** A module that users import, with its source. */
export interface PackageEntry {
  /** `carillon/crm` */
  name: string;
  file: string;
}

/** The modules that `package.json` exports. */
export function packageEntries(): PackageEntry[] {
  return listPackages()
    .flatMap(({ entries }) => entries)
    .map(({ specifier, source }) => ({ name: specifier, file: join(repositoryRoot, source) }));
}
