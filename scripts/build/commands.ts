import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { readSources } from '../../src/sandbox/page/sources.ts';
import { repositoryRoot } from '../spec/files.ts';
import type { Command } from './entries.ts';
import { licenceFile, licencesOf, packagesIn } from './licences.ts';

/**
 * Bundles the commands with all their dependencies, so that they run in an empty folder: users of the library install
 * `hono`, `zod` and `csv-parse` themselves. Only `carillon-jobs` needs more: the drivers of its database.
 *
 * @param output - folder for the commands
 */
export async function bundleCommands(commands: Command[], output: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [...commands.map(({ source }) => source), worker],
    outdir: output,
    bundle: true,
    // Split the code, so that --help does not load the sandbox and commands share common chunks.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    // Optional peers: database drivers of carillon-jobs, which have native parts, and what runs programs of agents.
    external: ['pg', 'pg-boss', 'quickjs-emscripten-core', '@jitl/*'],
    // CommonJS packages load Node's modules with `require`, which ES modules do not have.
    banner: {
      js: "import { createRequire as carillonRequire } from 'node:module';const require = carillonRequire(import.meta.url);",
    },
    metafile: true,
    plugins: [pageAsText],
    logLevel: 'silent',
  });
  // An input of which nothing is left needs no notice.
  const included = new Set(
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
    ),
  );
  writeFileSync(join(output, licenceFile), licencesOf(packagesIn([...included])));
}

/** What `carillon-mcp` starts for each program. */
const worker = 'src/bin/mcp-worker.ts';

/** Replaces the module that reads the sandbox's page from a checkout by the page itself, as text. */
const pageAsText: Plugin = {
  name: 'page-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /bin\/page\/sources\.ts$/ }, async () => ({
      contents: `export const readSources = async () => (${JSON.stringify(await readSources())});`,
    }));
  },
};
