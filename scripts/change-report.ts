/**
 * `npm run report -- [revision]`: what the working tree changes against a revision (`HEAD` unless given), as Markdown on
 * the standard output: size of the bundles, cost of the types, size of the package, and lines of `report.txt`.
 */
import { parseArgs } from 'node:util';
import { formatChange, readFigures } from './change-report/figures.ts';
import { measureBoth, reportDiff } from './change-report/revision.ts';

const usage = 'Usage: npm run report [-- <revision>]';

try {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [revision = 'HEAD', ...more] = positionals;
  if (more.length > 0) throw new Error(usage);
  const { before, after } = await measureBoth(revision);
  const diff = await reportDiff(revision);
  console.log(formatChange(revision, readFigures(before), readFigures(after), diff));
} catch (error) {
  console.error(`There is no report: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
