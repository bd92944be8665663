/**
 * `npm run report -- [revision]`: what the working tree changes against a revision (`HEAD` unless given), as Markdown on
 * the standard output: size of the bundles, cost of the types, size of the package, and lines of `report.txt`.
 */
import { parseArgs } from 'node:util';
import { reportFailure } from '../command-line/run-command.ts';
import { formatChange, readFigures } from './change-report/figures.ts';
import { measureBoth, reportDiff } from './change-report/revision.ts';

const usage = 'Usage: npm run report [-- <revision>]';

export function runChangeReport(args: string[]): Promise<number> {
  return reportFailure('There is no report', async () => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
    const [revision = 'HEAD', ...more] = positionals;
    if (more.length > 0) throw new Error(usage);
    const { before, after } = await measureBoth(revision);
    const diff = await reportDiff(revision);
    console.log(formatChange(revision, readFigures(before), readFigures(after), diff));
    return 0;
  });
}
