import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { type Figure, findOvergrown, formatTable, type Release } from '../../../scripts/check/budgets/figures.ts';
import { createInstantiationCounter } from '../../../scripts/check/budgets/instantiations.ts';
import { measure } from '../../../scripts/check/budgets/measure.ts';
import { lastRelease, runBudgets } from '../../../scripts/check/budgets.ts';
import { useFolder } from './installed.ts';

const folder = useFolder();

const release: Release = JSON.parse(readFileSync(lastRelease, 'utf8'));
let figures: Figure[];
beforeAll(async () => {
  figures = await measure();
});

const bytes = (name: string, value: number): Figure => ({ name, unit: 'bytes', value });

/** Runs the command with these figures, and with a file of its own for those of the last release. */
async function runCommand(figures: Figure[], release?: Release, ...args: string[]) {
  const file = join(folder(), 'last-release.json');
  if (release) writeFileSync(file, JSON.stringify(release));
  const output = vi.spyOn(console, 'log').mockReturnValue();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  const code = await runBudgets(args, file, async () => figures);
  const text = (calls: unknown[][]): string => calls.map((words) => `${words.join(' ')}\n`).join('');
  return { code, output: text(output.mock.calls), errors: text(errors.mock.calls) };
}

test('a figure may be a tenth larger than in the last release, and not more', () => {
  const values = [9_000, 10_000, 11_000, 11_001];
  expect(values.map((value) => findOvergrown([bytes('carillon', value)], { carillon: 10_000 }).length)).toEqual([
    0, 0, 0, 1,
  ]);
});

test('a figure that the last release did not have is shown, and cannot fail', () => {
  const figures = [bytes('carillon/new', 5_000)];
  expect(findOvergrown(figures, {})).toEqual([]);
  expect(formatTable(figures, {})).toMatch(/^carillon\/new +5,000 bytes +– +new$/m);
});

test('the table shows each figure, that of the last release and the change', () => {
  const figures = [bytes('carillon', 6_500), bytes('carillon/paths', 9_000)];
  expect(formatTable(figures, { carillon: 13_000, 'carillon/paths': 8_500 }).split('\n')).toEqual([
    '                        now  last release  change',
    'carillon        6,500 bytes        13,000  -50.0%',
    'carillon/paths  9,000 bytes         8,500   +5.9%',
  ]);
});

test('no figure of the package is more than a tenth larger than in the last release', () => {
  expect(findOvergrown(figures, release), `\n${formatTable(figures, release)}\n`).toEqual([]);
});

test('each figure of the last release is still measured', () => {
  expect(figures.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(release)));
});

test('the command names the figures that grew too much, says what to do, and fails', async () => {
  const { code, output, errors } = await runCommand([bytes('carillon', 15), bytes('other', 15)], {
    carillon: 10,
    other: 15,
  });
  expect(code).toBe(1);
  expect(output).toMatch(/^carillon .* \+50\.0%$/m);
  expect(errors).toMatch(/larger than in the last release: carillon\.\n.*npm run budgets -- --save/);
});

test('the command passes if no figure grew too much', async () => {
  const { code, errors } = await runCommand([bytes('carillon', 105)], { carillon: 100 });
  expect([code, errors]).toEqual([0, '']);
});

test('--save makes the figures those of the last release, whatever they were', async () => {
  const grown = [bytes('carillon', 500)];
  expect(await runCommand(grown, { carillon: 100, gone: 1 }, '--save')).toMatchObject({ code: 0, errors: '' });
  expect(JSON.parse(readFileSync(join(folder(), 'last-release.json'), 'utf8'))).toEqual({ carillon: 500 });
  expect(await runCommand(grown)).toMatchObject({ code: 0, errors: '' });
});

test('a program that does not compile is not measured', () => {
  const instantiations = createInstantiationCounter();
  expect(instantiations('export {};')).toBe(0);
  const misspelt =
    "import { createClient } from 'carillon'; createClient({ baseUrl: '', auth: null }).crm.deals.gett();";
  expect(() => instantiations(misspelt)).toThrow(/does not compile.*gett/);
});
