import { drawCharts } from '../../bench/charts.ts';
import { explainRatio, explainVerdicts, formatCell, formatMachine } from '../../bench/format.ts';
import { type PartResult, type Results, resultsFolder } from '../../bench/results.ts';
import type { Table } from '../../bench/table.ts';
import { pagePaths } from '../addresses.ts';
import { blocks, figures } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** Results and charts of `npm run bench`. */
export function benchmarksPage(results: Results): SitePage {
  const parts = Object.values(results);
  if (parts.length === 0) throw new Error(`${resultsFolder}/results.json is missing or empty: run npm run bench`);
  const charts = drawCharts(results);
  return {
    path: pagePaths.benchmarks,
    title: 'Benchmarks',
    description: 'Calls, bundles, types and servers, compared with other clients and mocks in the same run.',
    body: blocks(
      'This project compared with its alternatives, with the same work in the same run. `npm run bench` in a clone repeats all measurements.',
      `Each figure is a median, with the middle half of the runs in brackets. ${explainRatio('the row without one')}, with its confidence interval in brackets. ${explainVerdicts} \`docs/benchmarks/README.md\` explains how the figures are measured, why the comparison is fair, and what the profiles showed.`,
      ...parts.map((part) => partSection(part, charts)),
    ),
  };
}

type Charts = ReadonlyMap<string, string>;

function partSection({ title, date, machine, versions, tables }: PartResult, charts: Charts): string {
  const used = Object.entries(versions).map(([peer, version]) => `${peer} ${version}`);
  return blocks(
    `## ${title}`,
    `${date}; ${formatMachine(machine)}.${used.length > 0 ? ` Versions: ${used.join(', ')}.` : ''}`,
    ...tables.map((measured) => tableSection(measured, charts)),
  );
}

function tableSection({ title, note, columns, rows }: Table, charts: Charts): string {
  const drawn = columns.flatMap(({ chart, title: task }) => {
    const svg = chart === undefined ? undefined : charts.get(`${chart}.svg`);
    return svg
      ? `![Chart: ${title}, ${task}](data:image/svg+xml,${encodeURIComponent(svg).replaceAll('(', '%28').replaceAll(')', '%29')})`
      : [];
  });
  return blocks(
    `### ${title}`,
    note,
    ...drawn,
    figures(
      title,
      ['Subject', ...columns.map((column) => `${column.title}, ${column.unit}`)],
      rows.map(({ subject, cells }) => [subject, ...cells.map(formatCell)]),
    ),
  );
}
