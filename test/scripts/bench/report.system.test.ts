import { expect, test } from 'vitest';
import { drawCharts } from '../../../scripts/bench/charts.ts';
import { formatCell, formatNumber, formatShortCell } from '../../../scripts/bench/format.ts';
import { fillHeadline } from '../../../scripts/bench/headline.ts';
import { formatReport } from '../../../scripts/bench/results-page.ts';
import { buildTable, cellOf } from '../../../scripts/bench/table.ts';
import { results } from '../../support/benchmark-results.ts';

const report = formatReport(results);
const charts = drawCharts(results);
const chart = charts.get('call-loopback-deal.svg') ?? '';

test('the report contains machine, date, versions and goals', () => {
  expect(report).toContain('2026-11-21; 2 × Example CPU, 8 GB of memory, Linux x64, Node 24.0.0.');
  expect(report).toContain('Versions: ky 2.1.0.');
  expect(report).toContain('| At most 1.15 × raw fetch | 1.05 × | met |');
  expect(report).toContain('| At most 10 µs more | 12.0 µs | **not met** |');
});

test('a cell has median and spread, and ratio with interval and verdict', () => {
  expect(report).toContain('| raw fetch | 100 (100 to 103) |');
  expect(report).toContain('| ky <2> | 250 (238 to 263), 2.50 × (2.00 to 2.75) |');
  expect(report).toContain('| carillon by method | 102 (101 to 105), 1.02 × (0.99 to 1.03), tie |');
});

test.each([
  [{ ratio: 1.7, interval: { low: 1.6, high: 1.8 }, verdict: 'differs' }, '13.4, 1.70 ×'],
  [{ ratio: 1.01, interval: { low: 0.98, high: 1.03 }, verdict: 'tie' }, '13.4, 1.01 ×, tie'],
  [{ ratio: 1.1, interval: { low: 0.9, high: 1.3 }, verdict: 'undecided' }, '13.4, 1.10 ×, undecided'],
  [{ ratio: 1.1, verdict: 'undecided' }, '13.4, 1.10 ×, undecided'],
  [{ ratio: 1.1 }, '13.4, 1.10 ×'],
  [{}, '13.4'],
] as const)('the short form of %j has its ratio, whatever the verdict', (compared, text) => {
  expect(formatShortCell({ median: 13.4, low: 12, high: 15, runs: 9, ...compared })).toBe(text);
});

test('sizes are exact: they have a ratio without a verdict', () => {
  const samples = { ky: 4, 'carillon by method': 6 };
  const column = { title: 'bundle', unit: 'kB', better: 'lower', baseline: 'ky', samples } as const;
  const table = buildTable('Sizes', Object.keys(samples), [column]);
  expect(table.rows.map(({ cells }) => cells.map(formatCell))).toEqual([['4'], ['6, 1.50 ×']]);
});

test('what cannot do a task is left out of it, visibly', () => {
  expect(report).toContain('| prism | left out: is no client |');
  expect(chart).toContain('left out: is no client');
  expect(() =>
    cellOf(results.calls?.tables[0] ?? { title: '', columns: [], rows: [] }, 'prism', 'one at a time'),
  ).toThrow(/no figure for prism/);
});

test('there is a chart for each column that asks for one, and the report shows it', () => {
  expect([...charts.keys()]).toEqual(['call-loopback-deal.svg']);
  expect(report).toContain('![A reply of 300 bytes, one at a time](call-loopback-deal.svg)');
});

test('a chart says in words what it shows, and adapts to light and dark', () => {
  expect(chart).toContain('role="img" aria-labelledby="title description"');
  expect(chart).toContain('<title id="title">A reply of 300 bytes, one at a time</title>');
  expect(chart).toMatch(
    /<desc id="description">raw fetch: 100 µs; ky &lt;2&gt;: 250 µs \(2\.50 ×\); .*carillon by method: 102 µs \(1\.02 ×, tie\)\.<\/desc>/,
  );
  expect(chart).toContain('prefers-color-scheme: dark');
});

test('bars are as long as their figures, the longest spread fits, and this project is highlighted', () => {
  const widths = [...chart.matchAll(/<rect class="([a-z ]+)"[^>]* width="([\d.]+)"/g)].map(([, kind, width]) => [
    kind,
    Number(width),
  ]);
  const [raw, ky, own] = widths.map(([, width]) => Number(width));
  expect(widths.map(([kind]) => kind)).toEqual(['bar', 'bar', 'bar own']);
  expect((ky ?? 0) / (raw ?? 1)).toBeCloseTo(2.5, 1);
  expect((own ?? 0) / (raw ?? 1)).toBeCloseTo(1.02, 1);
});

test('the bars leave room for the longest name', () => {
  const [named] = Object.values(results);
  const [table] = named?.tables ?? [];
  const [row] = table?.rows ?? [];
  if (!named || !table || !row) expect.fail('The results have no rows');
  const subject = 'x'.repeat(40);
  const renamed = { ...named, tables: [{ ...table, rows: [{ ...row, subject }, ...table.rows] }] };
  const drawn = drawCharts({ ...results, calls: renamed }).get('call-loopback-deal.svg');
  const [, end] = drawn?.match(new RegExp(`<text x="(\\d+)"[^>]*>${subject}<`)) ?? [];
  expect(Number(end)).toBeGreaterThanOrEqual(40 * 8);
});

test.each([
  [0.1234, '0.12'],
  [8.256, '8.26'],
  [12.34, '12.3'],
  [123.4, '123'],
  [12_345.6, '12,346'],
  [0, '0'],
])('%d is written %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('the headline is between its markers, and only what was measured is filled in', () => {
  const page = 'Before\n<!-- benchmarks:start -->\nold\n<!-- benchmarks:end -->\nAfter\n';
  const filled = fillHeadline(page, results);
  expect(filled).toMatch(
    /^Before\n<!-- benchmarks:start -->\nMedians on 2 × Example CPU.*<!-- benchmarks:end -->\nAfter\n$/s,
  );
  expect(filled).not.toContain('old');
  expect(filled).toContain('| raw fetch | 100 |  |  |  |');
  expect(filled).toContain('| carillon by method | 102, 1.02 ×, tie |  |  |  |');
  expect(fillHeadline(filled, results)).toBe(filled);
  expect(fillHeadline('A page without them', results)).toBe('A page without them');
});
