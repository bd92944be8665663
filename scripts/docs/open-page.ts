import { describeSource } from '../spec/source.ts';
import { markLabels, markNames } from './extensions.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import type { OpenGroup } from './open-points.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { documentsPage } from './source-links.ts';
import { renderTable } from './table.ts';

export const openPage: Page = { file: 'open.html', label: 'Not documented' };

/** For each mark: what is unknown, and what this project assumes. */
const meanings = {
  'x-open': [
    'It is not documented.',
    'Nothing beyond the text: types and mock accept any form, and the client returns what it receives.',
  ],
  'x-inferred': ['The documents only imply it.', 'The text; types, mock and sandbox follow it.'],
  'x-conflict': ['The documents contradict each other.', 'Both are accepted: the spec has the less strict form.'],
} as const satisfies Record<keyof typeof markLabels, readonly [string, string]>;

/** "What is not documented": every mark of every spec. */
export function renderOpenPage(references: Reference[], pages: Page[]): string {
  const title = 'What is not documented';
  const body = html`<h1>${title}</h1>
      <p class="lead">The specs are written from <a href="${documentsPage.file}">documents</a> that do not contain everything.
        Nothing is invented to fill the gaps. The specs and the references mark each gap, and this page lists all of them.</p>
      ${renderTable(
        ['Mark', 'What is unknown', 'What this project assumes'],
        markNames.map((mark) => [
          html`<span class="mark ${mark}">${markLabels[mark]}</span>`,
          ...meanings[mark].map((text) => html`${text}`),
        ]),
      )}
      <p>If the sandbox has to decide, its reply says so.
        <a href="${rulesPage.file}#choices">Its choices</a> are not facts. Each heading below links to the
        reference and names the sections of the document that are closest to an answer.</p>
      <nav aria-label="On this page"><ul class="inline">${references.map(
        ({ spec, openGroups }) =>
          html`<li><a href="#${spec.name}">${spec.document.info.title}</a> (${countPoints(openGroups)})</li>`,
      )}</ul></nav>
      ${references.map(
        ({ spec, page, openGroups }) => html`<section id="${spec.name}"><h2>${spec.document.info.title}</h2>
        ${openGroups.map((group) => renderGroup(group, page))}</section>`,
      )}`;
  return renderPage({ title, pages, page: openPage, body });
}

function renderGroup({ title, anchor, source, points }: OpenGroup, page: Page): Html {
  const heading = anchor ? html`<a href="${page.file}${anchor}">${title}</a>` : title;
  return html`<h3>${heading}${source !== undefined && html` <span class="place">${describeSource(source)}</span>`}</h3>
        <ul class="points">${points.map(
          ({ mark, place, text }) => html`<li><span class="mark ${mark}">${markLabels[mark]}</span>
          ${place !== '' && html`<span class="place">${place}</span>`}
          <p>${inlineCode(text)}</p></li>`,
        )}</ul>`;
}

function countPoints(groups: OpenGroup[]): number {
  return groups.reduce((sum, { points }) => sum + points.length, 0);
}
