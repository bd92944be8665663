import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from './bench-options.ts';
import { drawCharts } from './charts.ts';
import { formatMachine } from './format.ts';
import { fillHeadline } from './headline.ts';
import type { Part } from './parts/part.ts';
import { prepare } from './prepare.ts';
import { describeMachine, type Results, readResults, writeResults } from './results.ts';
import { formatReport } from './results-page.ts';

const report = (line: string): void => console.error(line);

/** Measures the chosen parts and writes each as soon as it is measured. Returns whether all of them were measured. */
export async function measure(
  { only, quick, output, page }: Options,
  parts: Readonly<Record<string, Part>>,
): Promise<boolean> {
  const names = Object.keys(parts);
  const machine = describeMachine();
  let complete = true;
  if (only.length === 0) publish(readResults(output), output, page);
  else await prepare(report);
  report(formatMachine(machine));
  for (const name of only) {
    const part = parts[name];
    if (!part) continue;
    const started = performance.now();
    // The other parts continue, so that their measurements are not lost.
    const measured = await part
      .measure({ quick, report: (line) => report(`  ${line}`) })
      .catch((error: unknown) => report(`${part.title} was not measured: ${describe(error)}`));
    if (!measured) {
      complete = false;
      continue;
    }
    const date = new Date().toISOString().slice(0, 10);
    const before = readResults(output);
    const after = { ...before, [name]: { title: part.title, date, machine, ...measured } };
    publish(Object.fromEntries(names.flatMap((key) => (after[key] ? [[key, after[key]]] : []))), output, page);
    for (const { text, figure, met } of measured.goals) report(`  ${met ? 'met    ' : 'NOT MET'} ${text}: ${figure}`);
    report(`${part.title}: ${Math.round((performance.now() - started) / 1_000)} s`);
  }
  report(`The results are in ${output}`);
  return complete;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Writes the results as JSON, and what is made of them; the headline where a page has a place for it. */
function publish(results: Results, folder: string, page?: string): void {
  writeResults(folder, results);
  writeFileSync(join(folder, 'results.md'), formatReport(results));
  for (const [name, svg] of drawCharts(results)) writeFileSync(join(folder, name), svg);
  if (page === undefined) return;
  const text = readFileSync(page, 'utf8');
  const filled = fillHeadline(text, results);
  if (filled !== text) writeFileSync(page, filled);
}
