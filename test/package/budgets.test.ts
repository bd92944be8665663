import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Figure, formatTable, isOver } from '../../scripts/check/budgets/figures.ts';
import { createInstantiationCounter } from '../../scripts/check/budgets/instantiations.ts';
import { type Budgets, measure } from '../../scripts/check/budgets/measure.ts';
import { runBudgets } from '../../scripts/check/budgets.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { once } from '../support/once/once.ts';
import { useFolder } from './installed.ts';

const folder = useFolder();
/** One for all tests: it reads the libraries once. */
const instantiations = createInstantiationCounter();

const budgets: Budgets = JSON.parse(readFileSync(join(repositoryRoot, 'scripts/check/budgets/budgets.json'), 'utf8'));
let figures: Figure[];
beforeAll(async () => {
  await once('dist');
  figures = await measure(budgets, instantiations);
});

/** Runs the command with other budgets, in this process: it has loaded the compiler and the bundler already. */
async function runCommand(budgets: object): Promise<{ code: number; output: string; errors: string }> {
  const file = join(folder(), 'budgets.json');
  writeFileSync(file, JSON.stringify(budgets));
  const output = vi.spyOn(console, 'log').mockReturnValue();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  const code = await runBudgets(['--budgets', file]);
  const text = (calls: unknown[][]): string => calls.map((words) => `${words.join(' ')}\n`).join('');
  return { code, output: text(output.mock.calls), errors: text(errors.mock.calls) };
}

test('a figure may reach its budget, and not pass it', () => {
  const figure = { name: 'carillon', unit: 'bytes', budget: 13_000 };
  expect([12_999, 13_000, 13_001].map((value) => isOver({ ...figure, value }))).toEqual([false, false, true]);
});

test('the table shows figure, budget and share, and by how much one is over', () => {
  const unit = 'bytes';
  const figures = [
    { name: 'carillon', unit, value: 6_500, budget: 13_000 },
    { name: 'carillon/paths', unit, value: 9_000, budget: 8_500 },
  ];
  expect(formatTable(figures).split('\n')).toEqual([
    '                     figure  budget    share',
    'carillon        6,500 bytes  13,000   50.0 %',
    'carillon/paths  9,000 bytes   8,500  105.9 %  over by 500',
  ]);
});

test('the package is within its budgets', () => {
  expect(figures.length).toBeGreaterThan(5);
  expect(figures.some(isOver), `\n${formatTable(figures)}\n`).toBe(false);
});

// Each other budget is far from its figure.
test.each([
  ['a bundle', /^carillon\/paths$/, budgets.bytes['carillon/paths'], 100],
  ['the types', /calls by method$/, budgets.instantiations.method, 100],
  ['the packed package', /^the packed package$/, budgets.packed, 100_000],
  ['the number of dependencies', /^installed with it$/, budgets.dependencies, -1],
])('%s is held to its budget, and over another is found', (_, name, budget, other) => {
  const [figure, ...more] = figures.filter((each) => name.test(each.name));
  expect([figure?.budget, more]).toEqual([expect.any(Number), []]);
  expect(figure?.budget).toBe(budget);
  expect(formatTable(figure ? [{ ...figure, budget: other }] : [])).toMatch(/over by [\d,]+$/);
});

test('the command prints by how much one is over, and fails', async () => {
  const { code, output, errors } = await runCommand({ bytes: { 'carillon/paths': 100 }, instantiations: {} });
  expect(output).toMatch(/over by [\d,]+$/m);
  expect([code, errors.trim()]).toEqual([1, expect.stringMatching(/^Over budget/)]);
});

test('the command passes within the budgets', async () => {
  const { code, errors } = await runCommand({ bytes: { 'carillon/paths': 1_000_000 }, instantiations: {} });
  expect([code, errors]).toEqual([0, '']);
});

test('an unknown program or entry is a plain message', async () => {
  await expect(measure({ bytes: {}, instantiations: { guess: 1 } })).rejects.toThrow("There is no program 'guess'");
  const { code, errors } = await runCommand({ bytes: { 'carillon/none': 1 }, instantiations: {} });
  expect([code, errors]).toEqual([1, expect.stringMatching(/^Nothing was measured: /)]);
});

test('a program that does not compile is not measured', () => {
  expect(instantiations('export {};')).toBe(0);
  const misspelt =
    "import { createClient } from 'carillon'; createClient({ baseUrl: '', auth: null }).crm.deals.gett();";
  expect(() => instantiations(misspelt)).toThrow(/does not compile.*gett/);
});
