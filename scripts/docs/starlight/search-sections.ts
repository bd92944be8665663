import { lexer } from 'marked';
import type { Section } from '../../../src/shared/search/search-index.ts';
import { namesIn } from '../../../src/shared/search/words.ts';
import { guidePath } from '../addresses.ts';
import { readHeadings, textOf } from '../markdown/headings.ts';
import { removeUnsearched, searchComment } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** The sections of all pages, for the search. Each heading begins a section. */
export function listSections(pages: readonly SitePage[]): Section[] {
  return pages.flatMap(sectionsOf);
}

function sectionsOf({ path, title, description, searchWords = '', body }: SitePage): Section[] {
  const tokens = lexer(removeUnsearched(body));
  const headings = readHeadings(tokens).values();
  const rank = rankOf(path);
  const begin = (heading: string, url: string): Section => ({ url, title, heading, text: '', ...(rank && { rank }) });
  const sections: Section[] = [{ ...begin('', path), about: description, words: searchWords }];
  for (const token of tokens) {
    const section = sections.at(-1);
    const { value: heading } = token.type === 'heading' ? headings.next() : {};
    if (heading) sections.push(begin(heading.text.trim(), `${path}#${heading.id}`));
    else if (section) {
      const added = Array.from(token.raw.matchAll(searchComment), ([, words = '']) => words).join(' ');
      if (token.type === 'code')
        section.code = [...new Set([...namesIn(section.code ?? ''), ...namesIn(token.text)])].join(' ');
      else if (added) section.words = `${section.words ?? ''} ${added}`.trim();
      else section.text = `${section.text} ${textOf(token)}`.replaceAll(/\s+/g, ' ').trim();
    }
  }
  return sections;
}

/** Pages for maintainers come last, even if they contain a word more often. */
function rankOf(path: string): number | undefined {
  if (path.startsWith('/project/decisions/')) return 0.15;
  if (path.startsWith('/project/')) return 0.3;
  // For pasted messages. For a single word, a guide is the better result.
  return path === guidePath('messages') ? 0.6 : undefined;
}
