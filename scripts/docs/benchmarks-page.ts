import { drawCharts } from '../bench/charts.ts';
import { explainCells, formatCell, formatMachine } from '../bench/format.ts';
import type { Goal, PartResult, Results } from '../bench/results.ts';
import type { Table } from '../bench/table.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { renderTable } from './table.ts';

export const benchmarksPage: Page = { file: 'benchmarks.html', label: 'Benchmarks', menu: 'project' };

/** Results and charts of `npm run bench`. */
export function renderBenchmarksPage(results: Results, pages: Page[]): string {
  const parts = Object.entries(results);
  if (parts.length === 0) throw new Error('docs/benchmarks/results.json is missing or empty: run npm run bench');
  const charts = drawCharts(results);
  const title = benchmarksPage.label;
  const body = html`<h1>${title}</h1>
      <p class="lead">This project compared with its alternatives, with the same work in the same run.
        <code>npm run bench</code> in a clone repeats all measurements.</p>
      <p>Each figure is a median; the middle half of the runs is in brackets. ${explainCells('the row without one')} The interval is in the
        brackets behind a ratio. <code>docs/benchmarks/README.md</code> explains
        how the figures are measured, why the comparison is fair, and what the profiles showed.</p>
      <nav aria-label="On this page"><ul class="inline">${parts.map(
        ([name, { title: part }]) => html`<li><a href="#${name}">${part}</a></li>`,
      )}</ul></nav>
      ${parts.map(([name, part]) => renderPart(name, part, charts))}`;
  return renderPage({ title, pages, page: benchmarksPage, body });
}

type Charts = ReadonlyMap<string, string>;

function renderPart(name: string, { title, date, machine, versions, goals, tables }: PartResult, charts: Charts): Html {
  const used = Object.entries(versions).map(([peer, version]) => `${peer} ${version}`);
  return html`<section id="${name}"><h2>${title}</h2>
        <p>${date}; ${formatMachine(machine)}.${used.length > 0 && ` Versions: ${used.join(', ')}.`}</p>
        ${goals.length > 0 && renderGoals(goals)}
        ${tables.map((table) => renderMeasured(table, charts))}
      </section>`;
}

function renderGoals(goals: readonly Goal[]): Html {
  return renderTable(
    ['Goal', 'Measured', 'Reached'],
    goals.map(({ text, figure, met }) => [html`${text}`, html`${figure}`, met ? html`yes` : html`<strong>no</strong>`]),
  );
}

function renderMeasured({ title, note, columns, rows }: Table, charts: Charts): Html {
  const drawn = columns.flatMap(({ chart, title: task }) => {
    const svg = chart === undefined ? undefined : charts.get(`${chart}.svg`);
    const source = svg && `data:image/svg+xml,${encodeURIComponent(svg)}`;
    return source ? [html`<img class="chart" src="${source}" alt="Chart: ${title}, ${task}" loading="lazy">`] : [];
  });
  return html`<h3>${title}</h3>
        ${note !== undefined && html`<p>${inlineCode(note)}</p>`}
        ${drawn}
        <div class="figures">${renderTable(
          ['Subject', ...columns.map((column) => `${column.title}, ${column.unit}`)],
          rows.map(({ subject, cells }) => [html`${subject}`, ...cells.map((cell) => html`${formatCell(cell)}`)]),
        )}</div>`;
}
