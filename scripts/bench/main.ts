/**
 * `npm run bench`: compares this project with its alternatives.
 *
 * In: the names of the parts to measure, `generated/`, `dist/`, and the alternatives in `package.json` beside this file.
 * Out: results as Markdown, JSON and charts in `docs/benchmarks/`. Each part is written as soon as it is measured, so an
 * interrupted run continues with `--only`.
 */
import { reportFailure } from '../command-line/dispatch.ts';
import { runBench } from './command.ts';

process.exitCode = await reportFailure('Nothing was measured', () => runBench(process.argv.slice(2)));
