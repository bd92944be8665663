import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Token } from 'marked';
import { repositoryRoot } from '../spec/files.ts';
import { codeBlock } from './code-block.ts';
import { repositoryAddress, resolveLink } from './guide-links.ts';
import type { Guide } from './guides.ts';
import { Html, html } from './html.ts';
import { renderTable } from './table.ts';

/**
 * The content of a guide as HTML, with its code highlighted.
 *
 * @param repository - address of the repository. Defaults to that in package.json
 */
export function renderMarkdown(
  guide: Guide,
  guides: readonly Guide[],
  repository: string | undefined = repositoryAddress(),
): Html {
  const headings = guide.headings.values();
  const unfit = (what: string): Error => new Error(`docs/guides/${guide.name}.md has ${what}, which pages do not show`);
  const marked = new Marked<string, string>({
    renderer: {
      heading({ tokens, depth }) {
        const { id = '', text = '' } = headings.next().value ?? {};
        const inner = new Html(this.parser.parseInline(tokens));
        const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>`;
        return `${html`<h${depth} id="${id}">${inner} ${anchor}</h${depth}>`}\n`;
      },
      link({ href, tokens }) {
        const target = resolveLink(href, guide, guides, repository);
        const inner = new Html(this.parser.parseInline(tokens));
        return `${target === undefined ? inner : html`<a href="${target}">${inner}</a>`}`;
      },
      table({ header, rows }) {
        const cells = (row: typeof header): Html[] =>
          row.map(({ tokens }) => new Html(this.parser.parseInline(tokens)));
        return `${renderTable(cells(header), rows.map(cells))}\n`;
      },
      code({ text, lang = '' }) {
        return `${codeBlock(text, lang)}\n`;
      },
      html() {
        throw unfit('HTML');
      },
      image({ href, text }) {
        const [, name] = /^\.\.\/diagrams\/([\w-]+\.svg)$/.exec(href) ?? [];
        if (!name) throw unfit('an image that is no diagram');
        const diagram = new Html(readFileSync(join(repositoryRoot, 'docs', 'diagrams', name), 'utf8'));
        return `${html`<span class="diagram">${diagram}<br>${text}</span>`}`;
      },
    },
  });
  const content: Token[] = guide.content;
  return new Html(marked.parser(content));
}
