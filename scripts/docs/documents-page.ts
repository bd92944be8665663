import { describeSource, specLabels } from '../spec/source.ts';
import { coveragePage } from './coverage-page.ts';
import { html } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { openPage } from './open-page.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { documentsPage } from './source-links.ts';
import { renderTable } from './table.ts';

/** Explains what the sources name: the documents that the specs are written from. */
export function renderDocumentsPage(references: Reference[], pages: Page[]): string {
  const title = 'The documents';
  const example = '1 §2, §4';
  const body = html`<h1>${title}</h1>
      <p class="lead">Three documents describe the API of the platform. They are the only source of facts about it: this project
        adds none. One spec is written from each document.</p>
      ${renderTable(
        ['Document', 'Number', 'Covers', 'Spec', 'Operations'],
        references.map(({ spec, page, operations }) => [
          html`<span id="${spec.name}">${specLabels[spec.name]} document</span>`,
          html`${spec.document.info['x-document'].number}`,
          html`${spec.document['x-tagGroups'].map(({ name }) => name).join(', ')}`,
          html`<a href="${page.file}">spec/${spec.name}.yaml</a>`,
          html`${operations.length}`,
        ]),
      )}
      <h2 id="repository">Where they are</h2>
      <p>The documents are not part of the repository. You do not need them, whether you use the client or change it: the specs contain
        every fact, and <a href="${coveragePage.file}">${coveragePage.label}</a> lists what comes from each section of
        each document.</p>
      <h2 id="sources">How sources are written</h2>
      <p>Operations and types end with their source, such as <em>${describeSource(example)}</em>; <a href="${rulesPage.file}">${rulesPage.label}</a> names
        the source of each rule. In the specs, the same source is written
        as <code>x-source: ${example}</code>: the number of the document and its sections. The introduction before section 1 has the
        number 0.</p>
      <h2 id="gaps">What they do not contain</h2>
      <p>Facts that are not documented, only implied, or contradictory are marked in the specs and on these pages, and listed
        under <a href="${openPage.file}">${openPage.label}</a>.</p>`;
  return renderPage({ title, pages, page: documentsPage, body });
}
