/** `npm run budgets`: measures the built package against `budgets/budgets.json`. Fails if a figure exceeds its budget. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportFailure } from '../command-line/run-command.ts';
import { repositoryRoot } from '../spec/files.ts';
import { formatTable, isOver } from './budgets/figures.ts';
import { measure } from './budgets/measure.ts';

export function runBudgets(args: string[]): Promise<number> {
  return reportFailure('Nothing was measured', async () => {
    const { values } = parseArgs({ args, options: { budgets: { type: 'string' } } });
    if (!existsSync(join(repositoryRoot, 'dist')))
      throw new Error('There is no dist/ to measure: run npm run build first');
    const file = values.budgets ?? join(import.meta.dirname, 'budgets', 'budgets.json');
    const figures = await measure(JSON.parse(readFileSync(file, 'utf8')));
    console.log(formatTable(figures));
    if (!figures.some(isOver)) return 0;
    console.error('\nOver budget. Make it smaller. Raising a budget is a separate decision.');
    return 1;
  });
}
