import { join, relative } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { repositoryRoot } from '../spec/files.ts';

const about = 'Builds the documentation in site/. The pages open from disk: begin with site/index.html.';
const output = join(repositoryRoot, 'site');

/** `npm run docs`. Resolves to the exit code. */
export function runDocs(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run docs --', about), args, async () => {
    // Loaded now, so that --help and a mistyped option do not wait for it.
    const { buildSite, SpecError } = await import('./site.ts');
    try {
      const started = performance.now();
      console.log('Building the docs …');
      await buildSite({ output, report: (line) => console.log(`  ${line}`) });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`Done in ${seconds} s. Open ${join(relative(process.cwd(), output), 'index.html')} in a browser.`);
      return 0;
    } catch (error) {
      await explain(error, error instanceof SpecError);
      console.error(`The docs were not built, and ${relative(process.cwd(), output)}/ is as it was.`);
      return 1;
    }
  });
}

/** The lint reports the line of a problem; the build may report only a symptom of it. */
async function explain(error: unknown, isInSpec: boolean): Promise<void> {
  if (isInSpec) {
    const [{ lintSpecs }, { printFindings }] = await Promise.all([
      import('../lint/specs.ts'),
      import('../lint/print-findings.ts'),
    ]);
    const findings = await lintSpecs();
    printFindings(findings);
    if (findings.length > 0) return;
  }
  console.error(error instanceof Error ? error.message : String(error));
}
