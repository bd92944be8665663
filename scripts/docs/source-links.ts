import { readSource } from '../spec/source.ts';
import type { Page } from './layout.ts';

/** The page that explains the sources. Apart from its content, so that the pages that it links to can link to it. */
export const documentsPage: Page = { file: 'documents.html', label: 'Documents', menu: 'project' };

/** A source as Markdown, with a link to the page about the documents. */
export function linkSource(source: string): string {
  const { spec, document, sections } = readSource(source);
  return `[${document}](${documentsPage.file}#${spec}), ${sections}`;
}

/** The sections of a source, where the document is clear from the context: `Sections 2 and 4`. */
export function nameSections(source: string): string {
  const { sections } = readSource(source);
  return sections.charAt(0).toUpperCase() + sections.slice(1);
}
