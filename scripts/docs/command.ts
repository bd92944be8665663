import { relative } from 'node:path';
import { createCommand, runCommand, UsageError } from '../../src/shared/command-line.ts';
import { messageOf } from '../../src/shared/message-of.ts';

const about = 'Builds the documentation in site/. `npm start` or any static host can serve the documentation.';

interface DocsOptions {
  dev?: true;
  base?: string;
  site?: string;
}

/** `npm run docs`. Resolves to the exit code. */
export function runDocs(args: string[]): Promise<number> {
  const command = createCommand('npm run docs --', about)
    .option('--base <path>', 'builds the site for a folder of its host, such as /docs/')
    .option('--site <origin>', 'writes the address of each page for search engines, a sitemap and robots.txt')
    .option('--dev', 'serves the guides without a build, and shows every saved change in the browser');
  return runCommand<DocsOptions>(command, args, async ({ dev, ...given }) => {
    const base = readBase(given.base);
    const origin = readOrigin(given.site);
    // Imported here, so that `--help` and a mistyped option do not wait for it.
    const [{ buildSite, siteFolder }, { SpecError }] = await Promise.all([
      import('./starlight/build-site.ts'),
      import('./facts/product-reference.ts'),
    ]);
    const folder = relative(process.cwd(), siteFolder);
    try {
      if (dev) return await (await import('./starlight/dev.ts')).serveGuides((line) => console.log(`  ${line}`));
      const started = performance.now();
      console.log('Building the docs …');
      await buildSite({ report: (line) => console.log(`  ${line}`), base, ...(origin && { site: origin }) });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const next = base === '/' ? 'To read it, run npm start, or serve the folder' : `Serve the folder at ${base}`;
      console.log(`Wrote ${folder}/ in ${seconds} s. ${next}.`);
      return 0;
    } catch (error) {
      await explain(error, error instanceof SpecError);
      console.error(`The docs were not built, and ${folder}/ is unchanged.`);
      return 1;
    }
  });
}

/** The path of the site, with slashes around it. */
function readBase(path = '/'): string {
  if (!/^\/(?:[\w.~-]+\/)*[\w.~-]*$/.test(path))
    throw new UsageError(`--base must be a path such as /docs/, not '${path}'.`);
  return path.endsWith('/') ? path : `${path}/`;
}

function readOrigin(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const url = URL.parse(address);
  if (/^https?:$/.test(url?.protocol ?? '') && url?.href === `${url?.origin}/`) return url.origin;
  throw new UsageError(
    `--site must be an origin such as https://docs.example.com, not '${address}'. --base has the path.`,
  );
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
  console.error(messageOf(error));
}
