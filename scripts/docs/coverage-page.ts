import { readFileSync } from 'node:fs';
import { coveragePath, parseCoverageTable } from '../spec/coverage-table.ts';
import { describeSource } from '../spec/source.ts';
import {
  type CoverageRow,
  coverSections,
  type Item,
  type Kind,
  kinds,
  limitKeywords,
  listItems,
  type SectionCoverage,
} from './coverage.ts';
import { type Evidence, evidenceFinder } from './coverage-evidence.ts';
import { type PlaceLink, placeFinder } from './coverage-places.ts';
import { type Html, html } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { anchorOf } from './open-points.ts';
import type { Reference } from './reference.ts';
import { documentsPage, nameSections } from './source-links.ts';
import { renderTable } from './table.ts';

export const coveragePage: Page = { file: 'coverage.html', label: 'Coverage', menu: 'project' };

const columns: Record<Kind, string> = {
  operations: 'Operations',
  fields: 'Fields',
  limits: 'Limits',
  values: 'Enum values',
  rules: 'Rules',
  errors: 'Errors',
};

const meanings: [string, string][] = [
  ['Fields', 'Properties of schemas, and parameters of paths and queries.'],
  ['Limits', `Each use of the keywords ${limitKeywords.join(', ')}.`],
  ['Rules', 'Rules of behaviour that a schema cannot express.'],
  ['Errors', 'Documented error codes, and documented statuses of 400 and above.'],
  ['Rows', 'Operations, types and rules that name the section as their source, and other lines of the section.'],
];

interface Covered extends Reference {
  items: Item[];
  sections: SectionCoverage[];
  rows: CoverageRow[];
}

/** Coverage of each document, from the sources in the specs, and from the tables of the lines that no source shows. */
export function renderCoveragePage(references: Reference[], pages: Page[]): string {
  const evidence = evidenceFinder();
  const covered = references.map((reference): Covered => {
    const { spec } = reference;
    const items = listItems(spec);
    const table = parseCoverageTable(readFileSync(coveragePath(spec.name), 'utf8'));
    const sections = coverSections(spec, items, table);
    return { ...reference, items, sections, rows: sections.flatMap((section) => section.rows) };
  });
  const title = 'Coverage of the documents';
  const body = html`<h1>${title}</h1>
      <p class="lead">The specs are written from <a href="${documentsPage.file}">three documents</a>. This page counts the facts of each
        section and lists what comes from it. All figures are computed from the files of the project.</p>
      ${renderTable(
        ['Document', ...kinds.map((kind) => columns[kind]), 'Rows'],
        [...covered.map(renderDocument), renderTotals(covered)],
      )}
      <h2 id="counting">How it is counted</h2>
      <p>A part of a request or reply has the sections of its operation or schema; a shared part without sections has those of
        the operations that use it. An item that has several sections is counted in each of them, and once in the total.</p>
      <dl class="marks">${meanings.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
      ${covered.map((one) => renderCovered(one, covered, evidence))}`;
  return renderPage({ title, pages, page: coveragePage, body });
}

function renderDocument({ spec, items, rows }: Covered): Html[] {
  return [html`<a href="#${spec.name}">${spec.document.info.title}</a>`, ...total(items), html`${rows.length}`];
}

function renderTotals(covered: Covered[]): Html[] {
  const rows = covered.reduce((sum, one) => sum + one.rows.length, 0);
  return [html`<strong>Total</strong>`, ...total(covered.flatMap(({ items }) => items)), html`${rows}`];
}

function total(items: Item[]): Html[] {
  return kinds.map((kind) => html`${items.filter((item) => item.kind === kind).length}`);
}

function renderCovered(
  one: Covered,
  all: Covered[],
  evidence: (operation: Reference['operations'][number]) => Evidence,
): Html {
  const { spec, page, operations, sections, items, rows } = one;
  const find = placeFinder(all, spec.name);
  return html`<section id="${spec.name}"><h2>${spec.document.info.title}</h2>
        ${renderTable(
          ['Section', ...kinds.map((kind) => columns[kind]), 'Rows'],
          [
            ...sections.map(({ section, counts, rows: own }) => [
              html`<a href="#${anchor(section)}">${nameSections(section)}</a>`,
              ...kinds.map((kind) => html`${counts[kind]}`),
              html`${own.length}`,
            ]),
            [html`<strong>Total</strong>`, ...total(items), html`${rows.length}`],
          ],
        )}
        <h3>Operations</h3>
        <p>In addition to the tests counted here, generated tests call every operation of the mock and of the sandbox.</p>
        ${renderTable(
          ['Operation', 'Source', 'Method', 'Sandbox', 'Samples', 'Rules', 'Test files that call the method'],
          operations.map((operation) => {
            const { method, sandbox, samples, tests } = evidence(operation);
            return [
              html`<a href="${page.file}${anchorOf(operation)}">${operation.operation.summary}</a>`,
              html`${operation.operation['x-source'] ? nameSections(operation.operation['x-source']) : 'none'}`,
              method === undefined ? html`none` : html`<code>${method}</code>`,
              html`${sandbox ? 'yes' : 'no'}`,
              html`${samples.join(', ') || 'none'}`,
              html`${operation.operation['x-rules']?.length ?? 0}`,
              html`${tests.length}`,
            ];
          }),
        )}
        <h3>Sections of the document</h3>
        ${sections.map((section) => renderRows(section, find))}</section>`;
}

/** Sections are collapsed, because they have hundreds of rows. A click or a link to a section opens it. */
function renderRows({ section, rows }: SectionCoverage, find: (place: string) => PlaceLink): Html {
  return html`<details><summary>${describeSource(section)} (rows: ${rows.length})</summary><div id="${anchor(section)}">
          ${renderTable(
            ['Row', 'Place'],
            rows.map(({ name, places }) => [
              html`${name}`,
              html`${places.map((place, index) => {
                const { href, text } = find(place);
                return html`${index > 0 && ', '}<a href="${href}">${text}</a>`;
              })}`,
            ]),
          )}</div></details>`;
}

/** `1 §4` → `section-1-4` */
function anchor(section: string): string {
  return `section-${section.replace(/\D+/g, '-')}`;
}
