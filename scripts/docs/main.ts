/**
 * `npm run docs`: builds the documentation.
 *
 * In: `spec/`, `generated/`, `docs/`, and the TSDoc of `src/`.
 * Out: `site/`, with a reference page for each spec. The pages open from disk, without a network.
 */
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { printFindings } from '../lint/print-findings.ts';
import { lintSpecs } from '../lint/specs.ts';
import { repositoryRoot } from '../spec/files.ts';
import { buildSite, SpecError } from './site.ts';

const output = join(repositoryRoot, 'site');

try {
  parseArgs({ options: {} }); // rejects any argument
  const started = performance.now();
  console.log('Building the docs …');
  await buildSite({ output, report: (line) => console.log(`  ${line}`) });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Done in ${seconds} s. Open ${join(relative(process.cwd(), output), 'index.html')} in a browser.`);
} catch (error) {
  process.exitCode = 1;
  // The lint reports the line of a problem; the build may report only a symptom of it.
  const findings = error instanceof SpecError ? await lintSpecs() : [];
  printFindings(findings);
  if (findings.length === 0) console.error(error instanceof Error ? error.message : String(error));
  console.error(`The docs were not built, and ${relative(process.cwd(), output)}/ is as it was.`);
}
