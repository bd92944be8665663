import { explainRatio, explainVerdicts, formatMachine, formatShortCell } from './format.ts';
import type { Results } from './results.ts';

const start = '<!-- benchmarks:start -->';
const end = '<!-- benchmarks:end -->';

/** The columns about clients, each by the name of its chart. The results also cover the servers. */
const columns = {
  'call-loopback-deal': 'call over loopback, µs',
  'call-in-process-deal': 'call in process, µs',
  'bundle-size': 'bundle, kB',
  'types-5': 'types of every call, s',
};

const subjects = ['raw fetch', 'openapi-fetch', 'ky', '@hey-api/openapi-ts', 'carillon by path', 'carillon by method'];

/** The main figures as Markdown. Figures that were not measured yet are left empty. */
function formatHeadline(results: Results): string {
  const { calls, sizes, types } = results;
  const machines = new Set([calls, sizes, types].flatMap((part) => (part ? formatMachine(part.machine) : [])));
  const table = formatRows(results);
  const verdicts = /, (tie|undecided) /.test(table) ? ` ${explainVerdicts}` : '';
  return `Medians on ${[...machines].join(', and on ')}. A call reads one small record: over loopback, and in process from a stub of \`fetch\`. ${explainRatio('raw fetch')}.${verdicts} Bundles are minified and gzipped. TypeScript 5 checks a program that calls each operation once. Over a network, a response takes milliseconds: the microseconds between raw fetch and the client do not matter there.

${table}
\`npm run bench\` regenerates these and all other figures, which the docs show on the page *Benchmarks*.`;
}

/** A Markdown table. All columns but the first hold figures. */
function rows(head: string[], body: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map((_, column) => (column === 0 ? '---' : '---:'))) + body.map(line).join('');
}

function formatRows(results: Results): string {
  const body = subjects.map((subject) => [
    subject,
    ...Object.keys(columns).map((chart) => formatFigure(results, chart, subject)),
  ]);
  return rows(['', ...Object.values(columns)], body);
}

/**
 * Formats one figure without spread and interval, which the full results show. Empty if it was not measured.
 *
 * @param chart - name of the column's chart
 */
export function formatFigure(results: Results, chart: string, subject: string): string {
  for (const { columns, rows: subjects } of Object.values(results).flatMap(({ tables }) => tables)) {
    const index = columns.findIndex((column) => column.chart === chart);
    const cell = subjects.find((row) => row.subject === subject)?.cells[index];
    if (!cell || 'leftOut' in cell) continue;
    return formatShortCell(cell);
  }
  return '';
}

/** Fills in the headline between its two markers. Without markers, the text is unchanged. */
export function fillHeadline(text: string, results: Results): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return text;
  return `${text.slice(0, from + start.length)}\n${formatHeadline(results)}\n${text.slice(to)}`;
}
