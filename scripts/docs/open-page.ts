import { type Gap, readGaps } from '../spec/gaps.ts';
import { describeSource, specLabels } from '../spec/source.ts';
import { markLabels, markNames } from './extensions.ts';
import { Html, html, inlineCode } from './html.ts';
import { type Page, readTemplate, renderPage } from './layout.ts';
import { documentId, type OpenGroup } from './open-points.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { documentsPage } from './source-links.ts';
import { renderTable } from './table.ts';

export const openPage: Page = { file: 'open.html', label: 'Not documented' };

/** For each mark: what is unknown, and what this project assumes. */
const meanings = {
  'x-open': [
    'It is not documented.',
    'Nothing, unless the text says otherwise: types and mock accept any form, and the client returns what it receives.',
  ],
  'x-inferred': ['The documents only imply it.', 'What the text says: types, mock and sandbox follow it.'],
  'x-conflict': ['The documents contradict each other.', 'Both are accepted: the spec has the less strict form.'],
} as const satisfies Record<keyof typeof markLabels, readonly [string, string]>;

/** "What is not documented": the gaps that matter most, then every mark of every spec. */
export function renderOpenPage(references: Reference[], pages: Page[]): string {
  const title = 'What is not documented';
  const groups = references.flatMap(({ openGroups }) => openGroups);
  const gaps = readGaps();
  const pageOfGroup = new Map(references.flatMap(({ page, openGroups }) => openGroups.map(({ id }) => [id, page])));
  const body = html`<h1>${title}</h1>
      <p class="lead">The <a href="${documentsPage.file}">documents</a> that the specs are written from have gaps.
        Nothing is invented to fill them: the specs and the references mark each gap.</p>
      <h2 id="first">The ${gaps.length} gaps that matter most</h2>
      ${gaps.map((gap) => renderGap(gap, groups))}
      <h2 id="all">All ${countPoints(groups)} gaps</h2>
      <p>They are grouped by operation, by type, or by document if they concern all of it. Open a group to read its gaps, or search the page.</p>
      ${renderTable(
        ['Mark', 'What is unknown', 'What this project assumes'],
        markNames.map((mark) => [
          html`<span class="mark ${mark}">${markLabels[mark]}</span>`,
          ...meanings[mark].map((text) => html`${text}`),
        ]),
      )}
      <p>If the sandbox has to make a choice, its reply names it. <a href="${rulesPage.file}#choices">These choices</a> are not facts.</p>
      <nav aria-label="All gaps"><ul class="inline">${references.map(
        ({ spec, openGroups }) =>
          html`<li><a href="#${spec.name}">${spec.document.info.title}</a> (${countPoints(openGroups)})</li>`,
      )}</ul></nav>
      ${references.map(
        ({ spec, openGroups }) => html`<section id="${spec.name}"><h3>${spec.document.info.title}</h3>
        ${openGroups.map((group) => renderGroup(group, pageOfGroup.get(group.id)))}</section>`,
      )}
      <script>${new Html(readTemplate('open.js'))}</script>`;
  return renderPage({ title, pages, page: openPage, body, styles: ['open.css'] });
}

function renderGap({ id, title, assumes, advice }: Gap, groups: readonly OpenGroup[]): Html {
  const places = groups.filter(({ points }) => points.some(({ gap }) => gap === id));
  return html`<section class="gap"><h3 id="${id}">${title}</h3>
        <dl class="commands">
          <div><dt>The client assumes</dt><dd>${inlineCode(assumes)}</dd></div>
          <div><dt>What to do</dt><dd>${inlineCode(advice)}</dd></div>
          <div><dt>Where</dt><dd>${places.map(
            (group, index) => html`${index > 0 && ' · '}<a href="#${group.id}">${placeName(group)}</a>`,
          )}</dd></div>
        </dl></section>`;
}

/** An entry for a whole document is named after the document. */
function placeName({ id, title, spec }: OpenGroup): string {
  return id === documentId(spec) ? `${specLabels[spec]} document` : title;
}

/** One operation, type or document. Browsers search closed entries, too, and open the one that has the text. */
function renderGroup({ id, title, anchor, source, points }: OpenGroup, page: Page | undefined): Html {
  return html`<details id="${id}"><summary><h4>${title}</h4> <span class="place">${points.length}</span></summary>
        <ul class="points">${points.map(
          ({ mark, place, text }) => html`<li><span class="mark ${mark}">${markLabels[mark]}</span>
          ${place !== '' && html`<span class="place">${place}</span>`}
          <p>${inlineCode(text)}</p></li>`,
        )}</ul>
        <p class="place">${page && anchor !== undefined && html`<a href="${page.file}${anchor}">${title} in the reference</a>. `}${
          source !== undefined && html`Closest to an answer: ${describeSource(source)}.`
        }</p></details>`;
}

function countPoints(groups: readonly OpenGroup[]): number {
  return groups.reduce((sum, { points }) => sum + points.length, 0);
}
