import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { hashFolder } from '../../command-line/hash-files.ts';

/** Folders of a clone without sources. All other files may affect the docs: comments, rules, names of tests. */
const notSources = new Set([
  ...['.git', 'node_modules', '.cache', '.astro', 'dist', 'site', 'coverage-report'],
  // Written by the build.
  join('docs', 'src', 'content'),
  join('docs', 'src', 'data'),
]);

const record = z.object({ sources: z.string(), site: z.string(), lines: z.array(z.string()) });

interface CurrentSiteOptions {
  /** The clone, with its packages installed. */
  root: string;
  /** Folder of the site. */
  site: string;
  /** Builds the site. */
  build: (report: (line: string) => void) => Promise<void>;
  /** Called with each line of progress, even if the site is not built. */
  report: (line: string) => void;
}

/**
 * Builds the site, unless it was built from the same sources and packages. Compares contents, not times. Resolves to
 * `true` if it was built.
 */
export async function buildIfChanged({ root, site, build, report }: CurrentSiteOptions): Promise<boolean> {
  const file = join(dirname(site), '.cache', 'site.json');
  // Hashed before the build, so that later changes cause another build.
  const sources = hashSources(root);
  const last = readRecord(file);
  if (last && last.sources === sources && last.site === hashFolder(site)) {
    for (const line of last.lines) report(line);
    return false;
  }
  const lines: string[] = [];
  await build((line) => {
    lines.push(line);
    report(line);
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ sources, site: hashFolder(site), lines }));
  return true;
}

function readRecord(file: string): z.infer<typeof record> | undefined {
  try {
    return record.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Hashes the sources, the installed packages and the version of Node, which determine the result. */
function hashSources(root: string): string {
  // npm lists the installed packages here.
  const packages = readFileSync(join(root, 'node_modules', '.package-lock.json'));
  return createHash('sha256')
    .update(process.version)
    .update(packages)
    .update(hashFolder(root, notSources))
    .digest('hex');
}
