import { relative } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';

const about = 'Builds the documentation in site/. `npm start` serves it, and so does any static host.';

/** `npm run docs`. Resolves to the exit code. */
export function runDocs(args: string[]): Promise<number> {
  const command = createCommand('npm run docs --', about).option(
    '--dev',
    'builds nothing, serves the guides, and shows every save of one in the browser',
  );
  return runCommand<{ dev?: true }>(command, args, async ({ dev }) => {
    // Imported here, so that `--help` and a mistyped option do not wait for it.
    const { buildSite, siteFolder, SpecError } = await import('./site.ts');
    const site = relative(process.cwd(), siteFolder);
    try {
      if (dev) return await (await import('./dev.ts')).serveGuides((line) => console.log(`  ${line}`));
      const started = performance.now();
      console.log('Building the docs …');
      await buildSite({ report: (line) => console.log(`  ${line}`) });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`Wrote ${site}/ in ${seconds} s. To read it, run npm start, or serve the folder.`);
      return 0;
    } catch (error) {
      await explain(error, error instanceof SpecError);
      console.error(`The docs were not built, and ${site}/ is unchanged.`);
      return 1;
    }
  });
}

/** The lint reports the line of a problem. The build's error may be only a symptom. */
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
