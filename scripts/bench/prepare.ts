import { globSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { provideTools } from '../command-line/provide-tools.ts';
import { repositoryRoot, specNames, specPath } from '../spec/files.ts';
import { benchFolder, peersFolder, runCommand } from './run-peer.ts';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const generated = join(peersFolder, 'generated');

/** Builds the packages of this project, and installs or generates the alternatives. */
export async function prepare(report: (line: string) => void): Promise<void> {
  report('Building the packages …');
  const program = join(repositoryRoot, 'scripts', 'build', 'main.ts');
  await runCommand(process.execPath, ['--conditions=carillon-source', program], repositoryRoot);
  await provideTools(benchFolder, 'the compared packages', report);
  report('Generating a client with @hey-api/openapi-ts …');
  await generateHeyApi();
  await runCommand(process.execPath, [compiler, '-p', peersFolder], repositoryRoot);
}

/** Generates its fetch client with default options, and compiles it as a user would. */
async function generateHeyApi(): Promise<void> {
  rmSync(generated, { recursive: true, force: true });
  for (const name of specNames) {
    await createClient({
      input: specPath(name),
      output: { path: join(generated, name), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
  }
  const sources = globSync('**/*.ts', { cwd: generated }).map((file) => join(generated, file));
  await build({ entryPoints: sources, outdir: generated, outbase: generated, format: 'esm', target: 'es2022' });
}
