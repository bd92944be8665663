/**
 * `npm run docs`: the start page and a Redoc page for each spec, in `site/`. They open from disk, without a network.
 */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite, SpecError } from './docs/site.ts';
import { printFindings } from './lint/print-findings.ts';
import { lintSpecs } from './lint/specs.ts';
import { repositoryRoot } from './spec/files.ts';

const output = join(repositoryRoot, 'site');

try {
  parseArgs({ options: {} }); // takes none, and says so
  const started = performance.now();
  console.log('Building the docs …');
  await buildSite({ output, report: (line) => console.log(`  ${line}`) });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Done in ${seconds} s. Open ${join(relative(process.cwd(), output), 'index.html')} in a browser.`);
} catch (error) {
  process.exitCode = 1;
  // Findings of the lint tell the line; what the build says of a broken spec may be no more than a symptom.
  const findings = error instanceof SpecError ? await lintSpecs() : [];
  printFindings(findings);
  if (findings.length === 0) console.error(error instanceof Error ? error.message : String(error));
  console.error(`The docs were not built, and ${relative(process.cwd(), output)}/ is as it was.`);
}
