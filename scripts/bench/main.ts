/**
 * `npm run bench`: compares this project with the alternatives that a user has.
 *
 * In: the names of the parts to measure, `generated/`, `dist/`, and the alternatives in `peers/`.
 * Out: results as Markdown, JSON and charts in `docs/benchmarks/`. Each part is written as soon as it is measured, so an
 * interrupted run continues with `--only`.
 */

import { type Options, readOptions, usage } from './bench-options.ts';
import { formatMachine } from './format.ts';
import { parts } from './parts/index.ts';
import { prepare } from './prepare.ts';
import { publish } from './publish.ts';
import { describeMachine, readResults } from './results.ts';

const names = Object.keys(parts);
const report = (line: string): void => console.error(line);

async function run({ only, quick, output, page }: Options): Promise<void> {
  const machine = describeMachine();
  if (only.length === 0) publish(readResults(output), output, page);
  else await prepare(report);
  report(formatMachine(machine));
  for (const name of only) {
    const part = parts[name];
    if (!part) continue;
    const started = performance.now();
    const measured = await part.measure({ quick, report: (line) => report(`  ${line}`) }).catch(fail(part.title));
    if (!measured) continue;
    const date = new Date().toISOString().slice(0, 10);
    const before = readResults(output);
    const after = { ...before, [name]: { title: part.title, date, machine, ...measured } };
    publish(Object.fromEntries(names.flatMap((key) => (after[key] ? [[key, after[key]]] : []))), output, page);
    for (const { text, figure, met } of measured.goals) report(`  ${met ? 'met    ' : 'NOT MET'} ${text}: ${figure}`);
    report(`${part.title}: ${Math.round((performance.now() - started) / 1_000)} s`);
  }
  report(`The results are in ${output}`);
}

/** The other parts continue, so that their measurements are not lost. */
function fail(title: string): (error: unknown) => undefined {
  return (error) => {
    report(`${title} was not measured: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  };
}

try {
  const options = readOptions(process.argv.slice(2), names);
  if (options.help) console.log(usage(names));
  else await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
