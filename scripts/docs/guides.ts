import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, Parser, TextRenderer, type Token, type Tokens } from 'marked';
import { repositoryRoot } from '../spec/files.ts';
import type { Page } from './layout.ts';
import { guideOrder } from './menu.ts';

export interface Guide {
  /** `errors` for `errors.md`. */
  name: string;
  /** Its page; the label is the title. */
  page: Page;
  title: string;
  /** The first paragraph, as text with code in backticks: a summary for lists of guides. */
  lead: string;
  /** Content after the lead. */
  content: Token[];
  /** Headings of the content, in order. */
  headings: Heading[];
}

export interface Heading {
  depth: number;
  text: string;
  /** Its anchor, the same as on GitHub. */
  id: string;
}

/**
 * Reads the guides of a folder.
 *
 * @param names - all guides of the folder, in their order
 */
export function readGuides(
  folder: string = join(repositoryRoot, 'docs', 'guides'),
  names: readonly string[] = guideOrder,
): Guide[] {
  const found = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const unknown = found.filter((file) => !names.includes(file.slice(0, -'.md'.length)));
  if (unknown.length > 0)
    throw new Error(`docs/guides/${unknown.join(', ')}: give it a place in scripts/docs/menu.ts`);
  const missing = names.filter((name) => !found.includes(`${name}.md`));
  if (missing.length > 0)
    throw new Error(`docs/guides/${missing.join('.md, ')}.md is not there, and scripts/docs/menu.ts names it`);
  return names.map((name) => readGuide(name, readFileSync(join(folder, `${name}.md`), 'utf8')));
}

/** @throws if the Markdown does not begin with a title and a lead */
export function readGuide(name: string, markdown: string): Guide {
  const tokens = lexer(markdown);
  const [heading, lead, ...content] = tokens.filter(({ type }) => type !== 'space');
  if (heading?.type !== 'heading' || heading.depth !== 1)
    throw new Error(`docs/guides/${name}.md has to begin with its title, as in: # ${name}`);
  if (lead?.type !== 'paragraph' || hasLink(lead.tokens))
    throw new Error(`docs/guides/${name}.md needs a first paragraph without links that says what a reader gets`);
  const title = plainText(heading.tokens);
  return {
    name,
    title,
    page: { file: `guide-${name}.html`, label: title },
    lead: lead.text.replaceAll('\n', ' '),
    content,
    headings: readHeadings(content),
  };
}

/** The headings of a text with their anchors. Anchors of repeated headings are numbered. */
export function readHeadings(tokens: Token[]): Heading[] {
  const seen = new Map<string, number>();
  return tokens.filter(isHeading).map(({ depth, tokens: inner }) => {
    const text = plainText(inner);
    const slug = slugOf(text);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return { depth, text, id: count === 0 ? slug : `${slug}-${count}` };
  });
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function hasLink(tokens: Token[] = []): boolean {
  return tokens.some((token) => token.type === 'link' || ('tokens' in token && hasLink(token.tokens)));
}

function plainText(tokens: Token[] = []): string {
  return new Parser().parseInline(tokens, new TextRenderer());
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
