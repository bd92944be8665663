import { formatComparison, formatNumber, formatShortCell } from './format.ts';
import type { Results } from './results.ts';
import type { Cell, Column, Table } from './table.ts';

const width = 720;
/** Average width of a letter in the widest system fonts. */
const letterWidth = 8;
/** Space for a figure with its ratio and verdict. */
const right = 190;
const top = 64;
const rowHeight = 30;
const barHeight = 16;

/** Draws a bar chart of each column with a `chart` name. File name → SVG. */
export function drawCharts(results: Results): Map<string, string> {
  const charts = new Map<string, string>();
  for (const { tables } of Object.values(results)) {
    for (const table of tables) {
      for (const [index, column] of table.columns.entries()) {
        if (column.chart) charts.set(`${column.chart}.svg`, drawChart(table, column, index));
      }
    }
  }
  return charts;
}

/**
 * Bars show medians with their ratios, and a line spans the middle half of the runs. The colours follow the reader's
 * light or dark setting.
 */
function drawChart(table: Table, column: Column, index: number): string {
  const bars = table.rows.map(({ subject, cells }) => ({ subject, cell: cells[index] ?? { leftOut: 'not measured' } }));
  const left = 20 + letterWidth * Math.max(...bars.map(({ subject }) => subject.length));
  const most = Math.max(...bars.map(({ cell }) => ('leftOut' in cell ? 0 : cell.high)));
  const place = (value: number): number => left + (most > 0 ? (value / most) * (width - left - right) : 0);
  const height = top + bars.length * rowHeight + 10;
  const title = `${table.title}, ${column.title}`;
  const said = bars.map(({ subject, cell }) => `${subject}: ${describe(cell, column.unit)}`).join('; ');
  const drawn = bars.map(({ subject, cell }, row) => drawBar(subject, cell, top + row * rowHeight, place));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">${escapeXml(title)}</title>
<desc id="description">${escapeXml(said)}.</desc>
<style>
  svg { font: 14px system-ui, sans-serif; background: #fff }
  text { fill: #1f2328 }
  .unit { fill: #59636e; font-size: 12px }
  .bar { fill: #8c959f }
  .own { fill: #0969da }
  .range { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117 }
    text { fill: #f0f6fc }
    .unit { fill: #9198a1 }
    .bar { fill: #656c76 }
    .own { fill: #4493f8 }
    .range { stroke: #f0f6fc }
  }
</style>
<text x="10" y="24" font-weight="600">${escapeXml(title)}</text>
<text class="unit" x="10" y="44">${escapeXml(column.unit)}; ${column.better} is better; the line is the middle half of the runs</text>
${drawn.join('\n')}
</svg>
`;
}

/** `place` returns the position of a value on the line: 0 is where the bars begin. */
function drawBar(subject: string, cell: Cell, y: number, place: (value: number) => number): string {
  const left = place(0);
  const middle = y + rowHeight / 2;
  const name = `<text x="${left - 10}" y="${middle + 5}" text-anchor="end">${escapeXml(subject)}</text>`;
  if ('leftOut' in cell)
    return `${name}\n<text class="unit" x="${left}" y="${middle + 4}">left out: ${escapeXml(cell.leftOut)}</text>`;
  const { low, median, high } = cell;
  const own = subject.startsWith('carillon') ? 'bar own' : 'bar';
  const bar = `<rect class="${own}" x="${left}" y="${middle - barHeight / 2}" width="${round(place(median) - left)}" height="${barHeight}"/>`;
  const range =
    high > low
      ? `<line class="range" x1="${round(place(low))}" x2="${round(place(high))}" y1="${middle}" y2="${middle}"/>`
      : '';
  const figure = `<text x="${round(place(high) + 8)}" y="${middle + 5}">${formatShortCell(cell)}</text>`;
  return [name, bar, range, figure].filter(Boolean).join('\n');
}

function round(value: number): string {
  return value.toFixed(1);
}

function describe(cell: Cell, unit: string): string {
  if ('leftOut' in cell) return `left out, ${cell.leftOut}`;
  const compared = formatComparison({ ratio: cell.ratio, verdict: cell.verdict });
  return `${formatNumber(cell.median)} ${unit}${compared && ` (${compared})`}`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
