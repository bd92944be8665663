import { expect, test } from 'vitest';
import { drawCharts } from '../../scripts/bench/charts.ts';
import { formatNumber } from '../../scripts/bench/format.ts';
import { fillHeadline } from '../../scripts/bench/headline.ts';
import { formatReport } from '../../scripts/bench/results-page.ts';
import { cellOf } from '../../scripts/bench/table.ts';
import { results } from '../support/benchmark-results.ts';

const report = formatReport(results);
const charts = drawCharts(results);
const chart = charts.get('call-loopback-deal.svg') ?? '';

test('the report contains machine, date, versions and goals', () => {
  expect(report).toContain('2026-11-21; 2 × Example CPU, 8 GB of memory, Linux x64, Node 24.0.0.');
  expect(report).toContain('Versions: ky 2.1.0.');
  expect(report).toContain('| At most 1.15 × raw fetch | 1.05 × | met |');
  expect(report).toContain('| At most 10 µs more | 12.0 µs | **not met** |');
});

test('a cell has median, spread and ratio; a difference within the spread is called a tie', () => {
  expect(report).toContain('| raw fetch | 100 (100 to 105) |');
  expect(report).toContain('| ky <2> | 250 (225 to 275), 2.50 × |');
  expect(report).toContain('| carillon by method | 104 (104 to 105), tie |');
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
    /<desc id="description">raw fetch: 100 µs; ky &lt;2&gt;: 250 µs; .*carillon by method: 104 µs\.<\/desc>/,
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
  expect((own ?? 0) / (raw ?? 1)).toBeCloseTo(1.04, 1);
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
  expect(filled).toContain('| carillon by method | 104, tie |  |  |  |');
  expect(fillHeadline(filled, results)).toBe(filled);
  expect(fillHeadline('A page without them', results)).toBe('A page without them');
});
