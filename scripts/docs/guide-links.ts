import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { lexer } from 'marked';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { type Guide, readHeadings } from './guides.ts';

const home = join(repositoryRoot, 'docs', 'guides');

/** Public address of the repository, from `repository` in package.json. `undefined` if there is none. */
export function repositoryAddress(
  packageJson: string = readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
): string | undefined {
  const { repository } = z
    .object({ repository: z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]).optional() })
    .parse(JSON.parse(packageJson));
  const shorthand = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(repository ?? '')?.[1];
  if (shorthand) return `https://github.com/${shorthand}`;
  return repository?.replace(/^git\+/, '').replace(/\.git$/, '');
}

/**
 * Target of a guide's link on the site: the page of another guide, a file in the repository, or another site. A link to
 * the repository is `undefined` if the repository has no public address.
 *
 * @throws if the target does not exist
 */
export function resolveLink(
  href: string,
  from: Guide,
  guides: readonly Guide[],
  repository: string | undefined,
): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [path = '', anchor] = href.split('#', 2);
  const file = path === '' ? join(home, `${from.name}.md`) : resolve(home, path);
  const guide = guides.find(({ name }) => file === join(home, `${name}.md`));
  const broken = new Error(`docs/guides/${from.name}.md links to ${href}, which is not there`);
  if (guide) {
    if (anchor !== undefined && !guide.headings.some(({ id }) => id === anchor)) throw broken;
    return `${path === '' ? '' : guide.page.file}${anchor === undefined ? '' : `#${anchor}`}`;
  }
  const place = relative(repositoryRoot, file).replaceAll('\\', '/');
  if (place.startsWith('..') || !existsSync(file)) throw broken;
  if (anchor !== undefined && !hasAnchor(file, anchor)) throw broken;
  const view = statSync(file).isDirectory() ? 'tree' : 'blob';
  return repository && `${repository}/${view}/HEAD/${place}${anchor === undefined ? '' : `#${anchor}`}`;
}

function hasAnchor(file: string, anchor: string): boolean {
  return file.endsWith('.md') && readHeadings(lexer(readFileSync(file, 'utf8'))).some(({ id }) => id === anchor);
}
