import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../spec/files.ts';

const execute = promisify(execFile);

/** Small programs as users write them, each in its own folder. */
const projects = join(repositoryRoot, 'test', 'package', 'projects');

/** A folder in `test/package/projects/`. */
export type Project = 'program' | 'tracing' | 'typescript' | 'jest' | 'nextjs';

export interface Packed {
  tarball: string;
  /** Paths of what is in it, from the root of the package. */
  files: string[];
}

/** Packs the built package into a folder. */
export async function pack(folder: string): Promise<Packed> {
  if (!existsSync(join(repositoryRoot, 'dist'))) throw new Error('There is no dist/ to pack: run npm run build first');
  // Without scripts, npm packs the tested build instead of building again.
  const output = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], repositoryRoot);
  const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(output);
  if (!packed) throw new Error('npm packed nothing');
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** Copies a project into a folder and installs packages there: tarballs, folders, or names from the registry. */
export async function install(name: Project, folder: string, packages: string[]): Promise<void> {
  await copyProject(name, folder);
  await addPackages(folder, packages);
}

/** Changes neither the manifest nor the lock. */
async function addPackages(folder: string, packages: string[]): Promise<void> {
  await npm(['install', '--install-links', '--prefer-offline', '--no-save', ...packages], folder);
}

/** Copies a project into a folder, and installs there what its lock names, and then packages that it does not name. */
export async function installLocked(name: Project, folder: string, packages: string[]): Promise<void> {
  await copyProject(name, folder);
  await npm(['ci', '--prefer-offline'], folder);
  await addPackages(folder, packages);
}

export function copyProject(name: Project, folder: string): Promise<void> {
  return cp(join(projects, name), folder, { recursive: true });
}

/** Folders of this repository's own copies of packages, so that a test installs without a network. */
export function local(...packages: string[]): string[] {
  return packages.map((name) => join(repositoryRoot, 'node_modules', name));
}

/** What the project `tracing` needs: OpenTelemetry's SDK, at the versions of this repository. */
export function openTelemetry(): string[] {
  const names = ['api', 'context-async-hooks', 'core', 'resources', 'sdk-trace', 'sdk-trace-base'];
  return [...names, 'semantic-conventions'].map((name) => `@opentelemetry/${name}`);
}

/** Runs npm. Returns its output; fails with its errors. */
export async function npm(args: string[], cwd: string): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { stdout } = await execute('npm', [...args, ...quiet], { cwd, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
