import { existsSync, readFileSync } from 'node:fs';
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

/** The packages whose code is in files: those that the files belong to, and those that a bundler has copied into them. */
export function packagesIn(files: readonly string[]): Set<string> {
  const own = files.flatMap((file) => packageOf(file) ?? []);
  const copied = files.flatMap((file) => sourcesOf(file).flatMap((source) => packageOf(source) ?? []));
  return new Set([...own, ...copied]);
}

/** The innermost package of a path. */
function packageOf(path: string): string | undefined {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/** What a published file was made of, as its source map says. Without one, a package has to be trusted. */
function sourcesOf(file: string): string[] {
  const map = join(repositoryRoot, `${file}.map`);
  if (!file.includes('node_modules') || !existsSync(map)) return [];
  const { sources }: { sources?: string[] } = JSON.parse(readFileSync(map, 'utf8'));
  return sources ?? [];
}
