import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/** The file, next to bundles, with the licences of the packages in them. */
export const licenceFile = 'THIRD-PARTY-LICENSES.txt';

/** Licences of bundled packages. Each requires its text next to the code. */
export function licencesOf(packages: Iterable<string>): string {
  return [...packages]
    .sort()
    .map((name) => `${name}\n\n${readFileSync(join(repositoryRoot, 'node_modules', name, 'LICENSE'), 'utf8')}`)
    .join('\n');
}
