import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';

/** A module that users import, and the source that it is built from. */
export interface PackageEntry {
  /** `carillon/crm` */
  name: string;
  file: string;
}

const manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
});

/** What `package.json` exports; `spec/*` and the like are files, not modules. */
export function packageEntries(): PackageEntry[] {
  const { name, exports } = manifest.parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
  return Object.entries(exports).flatMap(([path, entry]) => {
    if (typeof entry === 'string') return [];
    const file = entry.types.replace('./dist/', '').replace('.d.ts', '.ts');
    return [{ name: path.replace('.', name), file: join(repositoryRoot, file) }];
  });
}
