import { markLabels, markNames } from './extensions.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import type { OpenGroup } from './open-points.ts';
import type { Reference } from './reference.ts';

export const openPage: Page = { file: 'open.html', label: 'Left open' };

const meanings = {
  'x-open': 'The documents do not say it. The text tells what a caller can rely on.',
  'x-inferred': 'The documents only imply it. The text tells why this reading was chosen.',
  'x-conflict': 'The documents say two things. The looser one is on the wire.',
} as const satisfies Record<keyof typeof markLabels, string>;

/** "What the documents leave open": every mark of openness of every spec. */
export function renderOpenPage(references: Reference[], pages: Page[]): string {
  const title = 'What the documents leave open';
  const body = html`<h1>${title}</h1>
      <p class="lead">The specs are written from documents that do not say everything. Nothing was made up to fill the gaps:
        each one is marked where it stands, in the specs and in the references, and all of them are listed here.</p>
      <dl class="marks">${markNames.map(
        (mark) => html`<div><dt class="${mark}">${markLabels[mark]}</dt><dd>${meanings[mark]}</dd></div>`,
      )}</dl>
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

function renderGroup({ title, anchor, points }: OpenGroup, page: Page): Html {
  const heading = anchor ? html`<a href="${page.file}${anchor}">${title}</a>` : title;
  return html`<h3>${heading}</h3>
        <ul class="points">${points.map(
          ({ mark, place, text }) => html`<li><span class="mark ${mark}">${markLabels[mark]}</span>
          ${place !== '' && html`<span class="place">${place}</span>`}
          <p>${inlineCode(text)}</p></li>`,
        )}</ul>`;
}

function countPoints(groups: OpenGroup[]): number {
  return groups.reduce((sum, { points }) => sum + points.length, 0);
}
