/**
 * `npm run report -- [revision]`: what the working tree changes against a revision (`HEAD` unless given), as Markdown on
 * the standard output: size of the bundles, cost of the types, size of the package, and lines of `report.txt`.
 */
import { UsageError } from '../../src/shared/server/options.ts';
import { type CommandLine, withArguments } from '../command-line/command-line.ts';
import { reportFailure } from '../command-line/run-command.ts';
import { formatChange, readFigures } from './change-report/figures.ts';
import { measureBoth, reportDiff } from './change-report/revision.ts';

const command: CommandLine = {
  line: 'npm run report --',
  about: 'Prints as Markdown what the working tree changes against a revision (default HEAD).',
  rest: '[<revision>]',
};

export function runChangeReport(args: string[]): Promise<number> {
  return withArguments(command, args, ({ rest: [revision = 'HEAD', ...more] }) => {
    if (more.length > 0) throw new UsageError('A report compares with one revision, as in: npm run report -- main');
    return reportFailure('There is no report', async () => {
      const { before, after } = await measureBoth(revision);
      const diff = await reportDiff(revision);
      console.log(formatChange(revision, readFigures(before), readFigures(after), diff));
      return 0;
    });
  });
}
