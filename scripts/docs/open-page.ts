import { markLabels, markNames } from './extensions.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import type { OpenGroup } from './open-points.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { renderTable } from './table.ts';

export const openPage: Page = { file: 'open.html', label: 'Left open' };

/** What is unknown, and what this project assumes. */
const meanings = {
  'x-open': [
    'The documents do not say it.',
    'Nothing beyond what the text says: types and mock take any form, and the client passes on what comes.',
  ],
  'x-inferred': ['The documents only imply it.', 'What the text says; types, mock and sandbox hold it.'],
  'x-conflict': ['The documents say two things.', 'Both pass: the looser form is what goes over the wire.'],
} as const satisfies Record<keyof typeof markLabels, readonly [string, string]>;

/** "What the documents leave open": every mark of openness of every spec. */
export function renderOpenPage(references: Reference[], pages: Page[]): string {
  const title = 'What the documents leave open';
  const body = html`<h1>${title}</h1>
      <p class="lead">The specs are written from documents that do not say everything. Nothing was made up to fill the gaps:
        each one is marked where it stands, in the specs and in the references, and all of them are listed here.</p>
      ${renderTable(
        ['Mark', 'What is unknown', 'What this project assumes'],
        markNames.map((mark) => [
          html`<span class="mark ${mark}">${markLabels[mark]}</span>`,
          ...meanings[mark].map((text) => html`${text}`),
        ]),
      )}
      <p>Where the sandbox has to decide all the same, it says so in its reply:
        <a href="${rulesPage.file}#choices">its choices</a> are no facts either. Each heading below leads to the place in the
        reference, and names the sections of the document where to look, or to ask about.</p>
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
  return html`<h3>${heading}${source !== undefined && html` <span class="place">Document ${source}</span>`}</h3>
        <ul class="points">${points.map(
          ({ mark, place, text }) => html`<li><span class="mark ${mark}">${markLabels[mark]}</span>
          ${place !== '' && html`<span class="place">${place}</span>`}
          <p>${inlineCode(text)}</p></li>`,
        )}</ul>`;
}

function countPoints(groups: OpenGroup[]): number {
  return groups.reduce((sum, { points }) => sum + points.length, 0);
}
