import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listOperations } from '../spec/model.ts';
import { toDocument } from './document.ts';
import type { Guide } from './guides.ts';
import { Html, html } from './html.ts';
import { describePage, head, header, type Page, readTemplate } from './layout.ts';
import { describeCall, describeMore } from './operation-hub.ts';
import { splitPage } from './redoc-script.ts';
import { buildDocs } from './redocly.ts';
import type { Reference } from './reference.ts';

/** Folders of a build: pages go to `site`, temporary files to `work`. */
export interface Folders {
  site: string;
  work: string;
}

/** Writes the reference page of one spec. Resolves to Redoc's program, which the page loads from a file. */
export async function buildReference(
  reference: Reference,
  guides: readonly Guide[],
  pages: Page[],
  { site, work }: Folders,
): Promise<string> {
  const { spec, page, openGroups } = reference;
  const document = join(work, `${spec.name}.json`);
  const template = join(work, `${spec.name}.hbs`);
  const output = join(work, page.file);
  const shown = toDocument(spec, (operation) => ({
    before: [describeCall(operation)],
    after: describeMore(operation, openGroups, guides),
  }));
  await writeFile(document, JSON.stringify(shown));
  await writeFile(template, pageTemplate(reference, pages));
  await buildDocs({ document, template, output });
  const built = splitPage(await readFile(output, 'utf8'));
  await writeFile(join(site, page.file), built.page);
  return built.script;
}

/** A Handlebars template for `redocly build-docs`. */
function pageTemplate({ spec, page }: Reference, pages: Page[]): string {
  const { title, summary } = spec.document.info;
  return `${html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title} reference · Carillon</title>
    ${describePage(`The ${listOperations(spec).length} operations of ${title}. ${summary ?? ''}`)}
    ${head('reference-colors.css', 'reference.css')}
    ${new Html('{{{redocHead}}}')}
  </head>
  <body class="reference">
    <a class="skip" href="#api-content">Skip to the content</a>
    ${header(pages, page)}
    ${new Html('{{{redocHTML}}}')}
    <script>${new Html(readTemplate('reference.js'))}</script>
  </body>
</html>`}\n`;
}
