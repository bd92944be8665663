/**
 * `npm run report -- [revision]`: what the working tree changes against a revision (`HEAD` unless given), as Markdown on
 * the standard output: size of the bundles, cost of the types, size of the package, and lines of `report.txt`.
 */
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { formatChange, readFigures } from './change-report/figures.ts';
import { measureBoth, reportDiff } from './change-report/revision.ts';

const about = 'Prints as Markdown what the working tree changes against a revision (default HEAD).';

export function runChangeReport(args: string[]): Promise<number> {
  const command = createCommand('npm run report --', about).argument('[revision]');
  return runCommand(command, args, (_, [revision = 'HEAD']) =>
    reportFailure('There is no report', async () => {
      const { before, after } = await measureBoth(revision);
      const diff = await reportDiff(revision);
      console.log(formatChange(revision, readFigures(before), readFigures(after), diff));
      return 0;
    }),
  );
}
