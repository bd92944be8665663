import { stringify } from 'yaml';
import { markForSearch, removeSearchWords } from './markdown.ts';

/** A page of the site, as Markdown. */
export interface SitePage {
  /** Address: `/crm/deals/update/`. */
  path: string;
  title: string;
  /** For search engines and lists of pages: one or two sentences without Markdown. */
  description: string;
  /** Markdown below the title. */
  body: string;
  /** Title in the menu, if it is shorter. */
  label?: string;
  /** The file that a reader edits, from the root of the repository. Pages from data have none. */
  source?: string;
  /** Fields of the head that only some pages have. */
  head?: Readonly<Record<string, unknown>>;
}

/** The file of a page below the folder of pages, and the address of its Markdown on the site: `crm/deals/update.md`. */
export function fileOf({ path }: SitePage): string {
  return path === '/' ? 'index.md' : `${path.slice(1, -1)}.md`;
}

/**
 * Markdown with front matter, for Starlight.
 *
 * @param repository - public address of the repository, for the link that edits the page
 */
export function renderPage(page: SitePage, repository: string | undefined): string {
  const { title, description, label, source, body, head = {} } = page;
  const front = {
    title,
    description,
    ...(label !== undefined && { sidebar: { label } }),
    editUrl: repository !== undefined && source !== undefined ? `${repository}/edit/HEAD/${source}` : false,
    ...head,
  };
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${markForSearch(body)}\n`;
}

/** Markdown that readers copy and programs download: the title, then the body without search words. */
export function renderMarkdown({ title, body }: SitePage): string {
  return `# ${title}\n\n${removeSearchWords(body)}\n`;
}
