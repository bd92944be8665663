import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { z } from 'zod';
import { repositoryRoot } from '../../spec/files.ts';
import { readHeadings } from '../markdown/headings.ts';

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
 * Rewrites the links of a Markdown file for the site: to the page of another file, or to the repository. A link to a file
 * without a page becomes text if the repository has no public address.
 *
 * @param file - path of the file from the repository's root
 * @param pages - path of each page by its source file
 * @throws if a target does not exist
 */
export function adaptLinks(
  markdown: string,
  file: string,
  pages: ReadonlyMap<string, string>,
  repository: string | undefined,
): string {
  const links = new Map<string, { href: string; text: string }>();
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') links.set(token.raw, { href: token.href, text: token.text });
  });
  let adapted = markdown;
  for (const [raw, { href, text }] of links) {
    if (raw.startsWith('!') || /^(?:[a-z]+:|#)/.test(href)) continue;
    const target = resolveLink(href, file, pages, repository);
    // The parser removes the indentation of a list, so a text of several lines is not found.
    if (!markdown.includes(raw)) throw new Error(`${file}: write the text of the link to ${href} on one line`);
    adapted = adapted.replaceAll(raw, target === undefined ? text : `[${text}](${target})`);
  }
  return adapted;
}

function resolveLink(
  href: string,
  file: string,
  pages: ReadonlyMap<string, string>,
  repository: string | undefined,
): string | undefined {
  const [path = '', anchor] = href.split('#', 2);
  const target = posix.join(posix.dirname(file), path);
  const place = join(repositoryRoot, target);
  const broken = new Error(`${file} links to ${href}, which does not exist`);
  if (target.startsWith('..') || !existsSync(place)) throw broken;
  if (anchor !== undefined && target.endsWith('.md')) {
    if (!readHeadings(lexer(readFileSync(place, 'utf8'))).some(({ id }) => id === anchor)) throw broken;
  }
  const end = anchor === undefined ? '' : `#${anchor}`;
  const page = pages.get(target);
  if (page !== undefined) return `${page}${end}`;
  const view = statSync(place).isDirectory() ? 'tree' : 'blob';
  return repository && `${repository}/${view}/HEAD/${target}${end}`;
}
