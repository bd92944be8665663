import { explainCells, formatCell, formatMachine } from './format.ts';
import type { PartResult, Results } from './results.ts';
import type { Table } from './table.ts';

/** All results as Markdown. */
export function formatReport(results: Results): string {
  const parts = Object.values(results);
  return `# Benchmark results

Made by \`npm run bench\`; do not edit. [How it is measured, and what the profiles showed](README.md).

Each figure is a median, with the middle half of the runs in brackets. ${explainCells('the row without one')}
${parts.map(formatPart).join('')}`;
}

function formatPart({ title, date, machine, versions, tables }: PartResult): string {
  const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `
## ${title}

${date}; ${formatMachine(machine)}.
${used.length > 0 ? `Versions: ${used.join(', ')}.\n` : ''}
${tables.map(formatTable).join('\n')}`;
}

function formatTable({ title, note, columns, rows: subjects }: Table): string {
  const head = columns.map((column) => `${column.title}, ${column.unit}`);
  const body = subjects.map(({ subject, cells }) => [subject, ...cells.map(formatCell)]);
  const charts = columns.flatMap(({ chart, title: task }) => (chart ? [`![${title}, ${task}](${chart}.svg)\n\n`] : []));
  return `### ${title}\n\n${note ? `${note}\n\n` : ''}${charts.join('')}${rows(['', ...head], body)}`;
}

/** A Markdown table. All columns but the first hold figures. */
export function rows(head: string[], body: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return line(head) + line(head.map((_, column) => (column === 0 ? '---' : '---:'))) + body.map(line).join('');
}
