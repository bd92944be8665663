import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawCharts } from './charts.ts';
import { fillHeadline } from './headline.ts';
import { type Results, writeResults } from './results.ts';
import { formatReport } from './results-page.ts';

/** Writes the results as JSON, and what is made of them; the headline where a page has a place for it. */
export function publish(results: Results, folder: string, page?: string): void {
  writeResults(folder, results);
  writeFileSync(join(folder, 'results.md'), formatReport(results));
  for (const [name, svg] of drawCharts(results)) writeFileSync(join(folder, name), svg);
  if (page === undefined) return;
  const text = readFileSync(page, 'utf8');
  const filled = fillHeadline(text, results);
  if (filled !== text) writeFileSync(page, filled);
}
