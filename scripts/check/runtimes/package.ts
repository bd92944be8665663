import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackages } from '../../build/packages.ts';
import { repositoryRoot } from '../../spec/files.ts';

const execute = promisify(execFile);

/** Small user programs, each in its own folder. */
const projects = join(repositoryRoot, 'test', 'system', 'package', 'projects');

/** A folder in `test/system/package/projects/`. */
export type Project = 'program' | 'tracing' | 'typescript' | 'jest' | 'nextjs' | 'storybook';

/** A packed package. */
export interface Packed {
  /** Such as `carillon-sandbox`. */
  name: string;
  tarball: string;
  /** Paths of its files, from the package's root. */
  files: string[];
}

/** Packs the built packages into a folder. */
export async function pack(folder: string): Promise<Packed[]> {
  const unbuilt = listPackages().find((one) => !existsSync(join(repositoryRoot, one.folder, 'dist')));
  if (unbuilt) throw new Error(`There is no ${unbuilt.folder}/dist to pack: run npm run build first`);
  const output = await npm(['pack', '--workspaces', '--json', '--pack-destination', folder], repositoryRoot);
  const packed: { name: string; filename: string; files: { path: string }[] }[] = JSON.parse(output);
  return packed.map(({ name, filename, files }) => ({
    name,
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
  }));
}

/**
 * A user's environment variables. npm passes on this repository's `NODE_OPTIONS`, which would make Node resolve the
 * packages to their sources.
 */
export function userEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, npm_config_node_options, ...others } = process.env;
  return others;
}

/**
 * Copies a project into a folder and installs packages there. Packages are tarballs, folders, or names from the registry.
 */
export async function install(name: Project, folder: string, packages: string[]): Promise<void> {
  await copyProject(name, folder);
  await addPackages(folder, packages);
}

/** Leaves the manifest and the lockfile unchanged. */
async function addPackages(folder: string, packages: string[]): Promise<void> {
  await npm(['install', '--install-links', '--prefer-offline', '--no-save', ...packages], folder);
}

/** Copies a project into a folder, installs its locked dependencies, and then the given packages. */
export async function installLocked(name: Project, folder: string, packages: string[]): Promise<void> {
  await copyProject(name, folder);
  await npm(['ci', '--prefer-offline'], folder);
  await addPackages(folder, packages);
}

export function copyProject(name: Project, folder: string): Promise<void> {
  return cp(join(projects, name), folder, { recursive: true });
}

/** Folders of the packages installed in this repository, so that tests install without a network. */
export function local(...packages: string[]): string[] {
  return packages.map((name) => join(repositoryRoot, 'node_modules', name));
}

/** The packages that the project `tracing` needs: OpenTelemetry's SDK at this repository's versions. */
export function openTelemetry(): string[] {
  const names = ['api', 'context-async-hooks', 'core', 'resources', 'sdk-trace', 'sdk-trace-base'];
  return [...names, 'semantic-conventions'].map((name) => `@opentelemetry/${name}`);
}

/** Runs npm and returns its output. Fails with its error output. */
export async function npm(args: string[], cwd: string): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { stdout } = await execute('npm', [...args, ...quiet], {
    cwd,
    env: userEnvironment(),
    timeout: 600_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
