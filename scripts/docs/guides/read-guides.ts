import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token } from 'marked';
import { repositoryRoot } from '../../spec/files.ts';
import type { SpecOperation } from '../../spec/model.ts';
import { guidePath, methodOf } from '../addresses.ts';
import { plainTextOf } from '../markdown/headings.ts';
import { menu } from './menu.ts';

export interface Guide {
  /** `errors` for `errors.md`. */
  name: string;
  title: string;
  /** The first paragraph: a summary for lists of guides. Markdown without links. */
  lead: string;
  /** Markdown below the title. */
  markdown: string;
  /** Methods of the client that the guide names, such as `crm.deals.create`. */
  methods: ReadonlySet<string>;
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
  if (unknown.length > 0)
    throw new Error(`${folder}/${unknown.join(', ')}: add the guide to scripts/docs/guides/menu.ts`);
  const missing = names.filter((name) => !found.includes(`${name}.md`));
  if (missing.length > 0)
    throw new Error(`scripts/docs/guides/menu.ts names ${missing.join(', ')}, which ${folder} lacks`);
  return names.map((name) => readGuide(name, readFileSync(join(from, `${name}.md`), 'utf8'), operations));
}

/** @throws if the Markdown does not begin with a title and a first paragraph */
export function readGuide(name: string, text: string, operations: readonly SpecOperation[] = []): Guide {
  const tokens = lexer(text).filter(({ type }) => type !== 'space');
  const [heading, lead] = tokens;
  if (heading?.type !== 'heading' || heading.depth !== 1)
    throw new Error(`${folder}/${name}.md must begin with its title, as in: # ${name}`);
  if (lead?.type !== 'paragraph' || hasLink(lead.tokens))
    throw new Error(`${folder}/${name}.md needs a first paragraph without links that says what a reader gets`);
  const named = operations.map(methodOf).filter((method) => namesMethod(text, method));
  return {
    name,
    title: plainTextOf(heading.tokens),
    lead: lead.text.replaceAll('\n', ' '),
    markdown: text.slice(text.indexOf('\n') + 1).trim(),
    methods: new Set(named),
  };
}

/** Matches a call across lines, as formatters may break it. */
function namesMethod(text: string, method: string): boolean {
  return new RegExp(String.raw`\b${method.split('.').join(String.raw`\s*\.\s*`)}\b`).test(text);
}

function hasLink(tokens: readonly Token[] = []): boolean {
  return tokens.some((token) => token.type === 'link' || ('tokens' in token && hasLink(token.tokens)));
}

/** The page path of each guide, by its file. */
export function guidePages(): Map<string, string> {
  return new Map(menu.flatMap(({ guides }) => guides.map((name) => [`${folder}/${name}.md`, guidePath(name)])));
}

export function guideFile(name: string): string {
  return `${folder}/${name}.md`;
}
