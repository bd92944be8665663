import { existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import { repositoryRoot, specNames, specPath } from '../spec/files.ts';
import { peersFolder, runCommand } from './run-peer.ts';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const generated = join(peersFolder, 'generated');

/** Installs everything that is compared in `peers/`, where the programs import it, in the state of this checkout. */
export async function prepare(report: (line: string) => void): Promise<void> {
  report('Building the package …');
  await runCommand(process.execPath, [join(repositoryRoot, 'scripts', 'build', 'main.ts')], repositoryRoot);
  await installPeers(report);
  linkPackage();
  report('Generating what @hey-api/openapi-ts makes of the specs …');
  await generateHeyApi();
  await runCommand(process.execPath, [compiler, '-p', peersFolder], repositoryRoot);
}

/** Exactly what the lock names, once for each lock. */
async function installPeers(report: (line: string) => void): Promise<void> {
  const lock = readFileSync(join(peersFolder, 'package-lock.json'), 'utf8');
  const installed = join(peersFolder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  report('Installing what is compared (about 270 MB; once) …');
  await runCommand('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], peersFolder);
  writeFileSync(installed, lock);
}

/** Installs this package next to the others, in the state that was just built. */
function linkPackage(): void {
  const link = join(peersFolder, 'node_modules', 'carillon');
  rmSync(link, { force: true });
  symlinkSync(repositoryRoot, link, 'junction');
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
