import { expect, test } from 'vitest';
import { formatTable } from '../../../scripts/check/budgets/figures.ts';
import { formatChange, readFigures } from '../../../scripts/check/change-report/figures.ts';

const table = (bytes: number, more: { name: string; value: number }[] = []): string =>
  formatTable(
    [
      { name: 'carillon/paths', unit: 'bytes', value: bytes },
      { name: 'types of every operation, by path', unit: 'instantiations', value: 26_800 },
      ...more.map((figure) => ({ ...figure, unit: 'bytes' })),
    ],
    { 'carillon/paths': 8_500 },
  );

test('figures are read from the table that npm run budgets prints, those without one of the last release too', () => {
  expect([...readFigures(table(9_000))]).toEqual([
    ['carillon/paths', { value: 9_000, unit: 'bytes' }],
    ['types of every operation, by path', { value: 26_800, unit: 'instantiations' }],
  ]);
});

test('a report has what changed, what is new and what is gone, and nothing else', () => {
  const before = readFigures(table(8_000, [{ name: 'carillon/old', value: 5 }]));
  const after = readFigures(table(8_120, [{ name: 'carillon/new', value: 7 }]));
  expect(formatChange('main', before, after, '+field name: string').split('\n')).toEqual([
    '## Change against main',
    '',
    '| | before | after | change |',
    '|---|--:|--:|--:|',
    '| carillon/paths | 8,000 bytes | 8,120 bytes | +120 |',
    '| carillon/old | 5 bytes | – |  |',
    '| carillon/new | – | 7 bytes |  |',
    '',
    '```diff',
    '+field name: string',
    '```',
  ]);
});

test('a report of no change says so', () => {
  const same = readFigures(table(8_000));
  const report = formatChange('HEAD', same, same, '');
  expect(report).toContain('no change.\n\n`report.txt`: no change.');
});
