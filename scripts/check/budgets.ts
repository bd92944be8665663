/** `npm run budgets`: measures the built package against `budgets/budgets.json`. Fails if a figure exceeds its budget. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandLine, withArguments } from '../command-line/command-line.ts';
import { reportFailure } from '../command-line/run-command.ts';
import { repositoryRoot } from '../spec/files.ts';
import { formatTable, isOver } from './budgets/figures.ts';
import { measure } from './budgets/measure.ts';

const command: CommandLine<'budgets'> = {
  line: 'npm run budgets --',
  about: 'Measures bundles and types of the built package (npm run build), and fails if one exceeds its budget.',
  values: { budgets: '<file> other budgets than scripts/check/budgets/budgets.json' },
};

export function runBudgets(args: string[]): Promise<number> {
  return withArguments(command, args, ({ values }) =>
    reportFailure('Nothing was measured', () => compare(values.budgets)),
  );
}

async function compare(budgets: string | undefined): Promise<number> {
  if (!existsSync(join(repositoryRoot, 'dist')))
    throw new Error('There is no dist/ to measure: run npm run build first');
  const file = budgets ?? join(import.meta.dirname, 'budgets', 'budgets.json');
  const figures = await measure(JSON.parse(readFileSync(file, 'utf8')));
  console.log(formatTable(figures));
  if (!figures.some(isOver)) return 0;
  console.error('\nOver budget. Make it smaller. Raising a budget is a separate decision.');
  return 1;
}
