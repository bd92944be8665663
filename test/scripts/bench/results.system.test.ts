import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillHeadline } from '../../../scripts/bench/headline.ts';
import { readResults, writeResults } from '../../../scripts/bench/results.ts';
import { cellOf } from '../../../scripts/bench/table.ts';
import { results } from '../../support/benchmark-results.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const headline = '<!-- benchmarks:start -->\n<!-- benchmarks:end -->\n';

test('results that were written are read again', () => {
  const folder = emptyFolder();
  expect(readResults(folder)).toEqual({});
  writeResults(folder, results);
  expect(readResults(folder)).toEqual(results);
});

test('ties of the first format, which were noise, are not read', () => {
  const folder = emptyFolder();
  const cells = [{ median: 13.4, low: 12, high: 20, runs: 251, ratio: 1.75, tie: true }];
  const { machine } = results.calls ?? expect.fail('The results have no calls');
  const columns = [{ title: 'one at a time', unit: 'µs', better: 'lower', baseline: 'raw fetch' }];
  const old = {
    calls: {
      title: 'Cost of a call',
      date: '2026-11-21',
      machine,
      versions: {},
      goals: [
        { text: 'A tie in time with the loop, or faster', figure: 'a tie', met: true },
        { text: 'At most 1.15 × raw fetch', figure: '1.12 ×', met: true },
      ],
      tables: [{ title: 'A reply', columns, rows: [{ subject: 'carillon by path', cells }] }],
    },
  };
  writeFileSync(join(folder, 'results.json'), JSON.stringify(old));
  const { tables: [table] = [], goals } = readResults(folder).calls ?? expect.fail('The part is missing');
  if (!table) expect.fail('The table is missing');
  expect(cellOf(table, 'carillon by path', 'one at a time')).toEqual({
    median: 13.4,
    low: 12,
    high: 20,
    runs: 251,
    ratio: 1.75,
  });
  expect(table.note).toBe('Measured before ratios had intervals: no ratio has a verdict.');
  expect(fillHeadline(headline, readResults(folder))).toMatch(/Measured before .*\n\n/);
  expect(goals.map(({ figure }) => figure)).toEqual(['1.12 ×']);
});

test('a format that this version does not know is reported, not misread', () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'results.json'), '{"format":3,"parts":{}}');
  expect(() => readResults(folder)).toThrow(
    /results\.json has format 3 instead of 2: delete it, then run npm run bench/,
  );
});
