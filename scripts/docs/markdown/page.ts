import { stringify } from 'yaml';
import { removeSearchComments } from './markdown.ts';

/** A page of the site, as Markdown. */
export interface SitePage {
  /** Path on the site: `/crm/deals/update/`. */
  path: string;
  title: string;
  /** For search engines and lists of pages: one or two sentences without Markdown. */
  description: string;
  /** Markdown below the title. */
  body: string;
  /** Shorter title for the menu. */
  label?: string;
  /** Source file for the edit link, from the repository's root. Missing for generated pages. */
  source?: string;
  /** Words that readers search for and that the page does not contain. */
  searchWords?: string;
  /** Additional front matter. */
  head?: Readonly<Record<string, unknown>>;
}

/** Path of the page's file in the folder of pages, and of its Markdown on the site: `crm/deals/update.md`. */
export function fileOf({ path }: SitePage): string {
  return path === '/' ? 'index.md' : `${path.slice(1, -1)}.md`;
}

/**
 * Markdown with front matter, for Starlight.
 *
 * @param repository - public address of the repository, for the edit link
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
  return `---\n${stringify(front, { lineWidth: 0 })}---\n\n${removeSearchComments(body)}\n`;
}

/** Markdown for readers to copy and programs to download: the title and the body, without what only the page uses. */
export function renderMarkdown({ title, body }: SitePage): string {
  const text = removeSearchComments(body)
    .replaceAll(/<\/?run-sample\b[^>]*>\n\n|\n\n<\/run-sample>/g, '')
    // The source of a diagram or a picture says less than its caption.
    .replaceAll(/<figure [^>]*>.*?<figcaption>(.*?)<\/figcaption>\n<\/figure>/gs, '*$1*');
  return `# ${title}\n\n${text}\n`;
}
