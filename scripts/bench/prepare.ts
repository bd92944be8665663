import { globSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { listPackages } from '../build/packages.ts';
import { provideTools } from '../command-line/provide-tools.ts';
import { repositoryRoot, specNames, specPath } from '../spec/files.ts';
import { peersFolder, runCommand } from './run-peer.ts';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const generated = join(peersFolder, 'generated');

/** Installs everything that is compared in `peers/`, where the programs import it, in the state of this checkout. */
export async function prepare(report: (line: string) => void): Promise<void> {
  report('Building the packages …');
  await runCommand(process.execPath, [join(repositoryRoot, 'scripts', 'build', 'main.ts')], repositoryRoot);
  await provideTools(peersFolder, 'what is compared, about 270 MB', report);
  linkPackages();
  report('Generating what @hey-api/openapi-ts makes of the specs …');
  await generateHeyApi();
  await runCommand(process.execPath, [compiler, '-p', peersFolder], repositoryRoot);
}

/** Installs the packages next to the others, in the state that was just built. */
function linkPackages(): void {
  for (const { name, folder } of listPackages()) {
    const link = join(peersFolder, 'node_modules', name);
    rmSync(link, { force: true });
    symlinkSync(join(repositoryRoot, folder), link, 'junction');
  }
}

/** Its client for fetch with its defaults, compiled as a user would. */
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
