import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';
import ts from 'typescript';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';
import { guidePath, methodOf } from './addresses.ts';
import { escapeHtml } from './markdown.ts';
import { menu } from './menu.ts';

export interface Guide {
  /** `errors` for `errors.md`. */
  name: string;
  title: string;
  /** The first paragraph: a summary for lists of guides. Markdown without links. */
  lead: string;
  /** Markdown below the title. */
  markdown: string;
  /** Headings below the title, in order. */
  headings: Heading[];
  /** Methods of the client that the guide names, such as `crm.deals.create`. */
  methods: ReadonlySet<string>;
}

export interface Heading {
  depth: number;
  text: string;
  /** Anchor, the same as on GitHub. */
  id: string;
}

const folder = 'docs/guides';

/**
 * Reads the guides in the order of the menu.
 *
 * @param operations - operations whose methods a guide may name
 * @param from - folder of the guides
 * @throws if a file is missing from the menu, or a guide of the menu does not exist
 */
export function readGuides(
  operations: readonly SpecOperation[] = [],
  from: string = join(repositoryRoot, folder),
): Guide[] {
  const names = menu.flatMap(({ guides }) => guides);
  const found = readdirSync(from).filter((file) => file.endsWith('.md'));
  const unknown = found.filter((file) => !names.includes(file.slice(0, -'.md'.length)));
  if (unknown.length > 0) throw new Error(`${folder}/${unknown.join(', ')}: give it a place in scripts/docs/menu.ts`);
  const missing = names.filter((name) => !found.includes(`${name}.md`));
  if (missing.length > 0) throw new Error(`scripts/docs/menu.ts names ${missing.join(', ')}, which ${folder} lacks`);
  return names.map((name) => readGuide(name, readFileSync(join(from, `${name}.md`), 'utf8'), operations));
}

/** @throws if the Markdown does not begin with a title and a first paragraph */
export function readGuide(name: string, text: string, operations: readonly SpecOperation[] = []): Guide {
  const tokens = lexer(text).filter(({ type }) => type !== 'space');
  const [heading, lead, ...content] = tokens;
  if (heading?.type !== 'heading' || heading.depth !== 1)
    throw new Error(`${folder}/${name}.md has to begin with its title, as in: # ${name}`);
  if (lead?.type !== 'paragraph' || hasLink(lead.tokens))
    throw new Error(`${folder}/${name}.md needs a first paragraph without links that says what a reader gets`);
  const named = operations.map(methodOf).filter((method) => namesMethod(text, method));
  return {
    name,
    title: plainText(heading.tokens),
    lead: lead.text.replaceAll('\n', ' '),
    markdown: text.slice(text.indexOf('\n') + 1).trim(),
    headings: readHeadings(content),
    methods: new Set(named),
  };
}

/** Matches a call across lines, as formatters may break it. */
function namesMethod(text: string, method: string): boolean {
  return new RegExp(String.raw`\b${method.split('.').join(String.raw`\s*\.\s*`)}\b`).test(text);
}

/** The headings of a text with their anchors. Repeated anchors get a number. */
export function readHeadings(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>();
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, tokens: inner }) => {
      const text = plainText(inner);
      const slug = slugOf(text);
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return { depth, text, id: count === 0 ? slug : `${slug}-${count}` };
    });
}

/** The anchor of a heading. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function hasLink(tokens: readonly Token[] = []): boolean {
  return tokens.some((token) => token.type === 'link' || ('tokens' in token && hasLink(token.tokens)));
}

const inline = new Set(['text', 'strong', 'em', 'link', 'codespan', 'br', 'del', 'escape']);

/** The text of a token without Markdown and HTML. */
export function textOf(token: Token): string {
  if (token.type === 'html') return token.raw.replace(/<[^>]*>/g, ' ');
  const inner: Token[] = [
    ...('tokens' in token ? (token.tokens ?? []) : []),
    ...(token.type === 'list' ? token.items : []),
    ...(token.type === 'table'
      ? [...token.header, ...token.rows.flat()].flatMap(({ tokens }: { tokens: Token[] }) => [...tokens, space])
      : []),
  ];
  if (inner.length > 0) return inner.map(textOf).join(inner.every(({ type }) => inline.has(type)) ? '' : ' ');
  return 'text' in token ? token.text : ' ';
}

const space: Token = { type: 'text', raw: ' ', text: ' ' };

function plainText(tokens: readonly Token[] = []): string {
  return tokens.map(textOf).join('');
}

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
    if (!markdown.includes(raw)) throw new Error(`${file}: write the text of the link to ${href} in one line`);
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

/** The page path of each guide, by its file. */
export function guidePages(): Map<string, string> {
  return new Map(menu.flatMap(({ guides }) => guides.map((name) => [`${folder}/${name}.md`, guidePath(name)])));
}

export function guideFile(name: string): string {
  return `${folder}/${name}.md`;
}

/** A diagram of `docs/diagrams`, inline. */
export function drawDiagram(name: string, caption: string): string {
  const svg = readFileSync(join(repositoryRoot, 'docs', 'diagrams', name), 'utf8');
  // Remove blank lines, which would end the HTML block.
  return `<figure class="diagram">\n${svg.trim().replace(/\n\s*\n/g, '\n')}\n<figcaption>${caption}</figcaption>\n</figure>`;
}

/** A picture of `npm run screenshots`, which follows the page's theme. */
export function picture(name: string, caption: string): string {
  const image = (theme: string, other: string): string =>
    `<img class="${other}:sl-hidden" src="/pictures/${name}-${theme}.webp" alt="${caption}" width="${pictureSize.width}" height="${pictureSize.height}" loading="lazy">`;
  return `<figure class="picture">\n${image('light', 'dark')}${image('dark', 'light')}\n<figcaption>${caption}</figcaption>\n</figure>`;
}

/** In CSS pixels. The files have twice as many. */
export const pictureSize = { width: 640, height: 440 };

/** Packages that the page of a runnable sample has. */
const runnableImports: ReadonlySet<string> = new Set(['carillon', 'carillon-sandbox']);
const programBlock = /^```ts\n([\s\S]*?)^```$/gm;

/** The programs of a guide that need only the client and the sandbox, as JavaScript. */
export function runnablePrograms(markdown: string): string[] {
  return Array.from(markdown.matchAll(programBlock), ([, code = '']) => code)
    .filter(isRunnable)
    .map(withoutTypes);
}

/** Makes these programs run on their page. */
export function makeRunnable(markdown: string): string {
  return markdown.replace(programBlock, (block, code: string) => {
    if (!isRunnable(code)) return block;
    const program = withoutTypes(code);
    const attribute = program === code ? '' : ` program="${escapeAttribute(program)}"`;
    return `<run-sample${attribute}>\n\n${block}\n\n</run-sample>`;
  });
}

/** Shows the name of a block's file above it: "```json promo.json" is Markdown for people, who see the name in the text. */
export function titleFiles(markdown: string): string {
  return markdown.replaceAll(/^```(\w+) (\S*[./]\S*)$/gm, '```$1 title="$2"');
}

function isRunnable(code: string): boolean {
  const imports = Array.from(code.matchAll(/^import .*?from '([^']+)'/gms), ([, name = '']) => name);
  return imports.length > 0 && imports.every((name) => runnableImports.has(name));
}

/** Removes types, because pages run JavaScript. Does not change a program that has none. */
function withoutTypes(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  const letters = (text: string): string => text.replace(/[\s;,()]/g, '');
  return letters(outputText) === letters(code) ? code : outputText;
}

function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}
