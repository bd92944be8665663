import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** The Markdown of a guide. */
export function readGuideText(name: string): string {
  return readFileSync(join(repositoryRoot, 'docs', 'guides', `${name}.md`), 'utf8');
}

/** The rows of the guide's table that begins with these headings. */
export function readTable(name: string, headings: string[]): string[][] {
  const tables = lexer(readGuideText(name)).filter((token: Token): token is Tokens.Table => token.type === 'table');
  const found = tables.find(({ header }) => headings.every((heading, index) => header[index]?.text === heading));
  if (!found) throw new Error(`${name}.md has no table with the columns ${headings.join(', ')}`);
  return found.rows.map((cells) => cells.map(({ text }) => text));
}
