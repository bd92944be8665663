import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { type Figure, findOvergrown, formatTable, type Release } from '../../../scripts/check/budgets/figures.ts';
import { createInstantiationCounter } from '../../../scripts/check/budgets/instantiations.ts';
import { measure } from '../../../scripts/check/budgets/measure.ts';
import { lastRelease } from '../../../scripts/check/budgets.ts';

const release: Release = JSON.parse(readFileSync(lastRelease, 'utf8'));
let figures: Figure[];
beforeAll(async () => {
  figures = await measure();
});

const bytes = (name: string, value: number): Figure => ({ name, unit: 'bytes', value });

test('a figure may grow by at most a tenth since the last release', () => {
  const values = [9_000, 10_000, 11_000, 11_001];
  expect(values.map((value) => findOvergrown([bytes('carillon', value)], { carillon: 10_000 }).length)).toEqual([
    0, 0, 0, 1,
  ]);
});

test('a figure missing from the last release is shown, and cannot fail', () => {
  const figures = [bytes('carillon/new', 5_000)];
  expect(findOvergrown(figures, {})).toEqual([]);
  expect(formatTable(figures, {})).toMatch(/^carillon\/new +5,000 bytes +– +new$/m);
});

test('no figure of the package has grown by more than a tenth since the last release', () => {
  expect(findOvergrown(figures, release), `\n${formatTable(figures, release)}\n`).toEqual([]);
});

test('each figure of the last release is still measured', () => {
  expect(figures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(release)));
});

test('a program that does not compile is not measured', () => {
  const instantiations = createInstantiationCounter();
  expect(instantiations('export {};')).toBe(0);
  const misspelt =
    "import { createClient } from 'carillon'; createClient({ baseUrl: '', auth: null }).crm.deals.gett();";
  expect(() => instantiations(misspelt)).toThrow(/does not compile.*gett/);
});
