import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { listEntries } from './types/probes.ts';
import type { Release } from './verdict.ts';

const run = promisify(execFile);
const limits = { timeout: 300_000, maxBuffer: 2 ** 28 };

/** Runs git in the repository, and returns its output. */
export async function git(...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { ...limits, cwd: repositoryRoot });
  return stdout.trim();
}

/** Tags of the releases in the working tree's history, newest first. */
export async function listReleases(): Promise<string[]> {
  const tags = await git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname');
  return tags.split('\n').filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

/**
 * Copies a revision and the working tree to a temporary folder, writes the declarations of both, and removes them afterwards.
 *
 * @param report - receives a line about each step
 */
export async function withReleases<Result>(
  revision: string,
  report: (line: string) => void,
  use: (base: Release, next: Release) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), 'carillon-release-'));
  try {
    const [old, current] = [join(root, 'base'), join(root, 'next')];
    await copyRevision(revision, old);
    await copyWorkingTree(current);
    if ((await readLocked(old)) !== (await readLocked(current))) {
      report(
        `${revision} has other dependencies in package-lock.json: it is compiled with those that are installed now.`,
      );
    }
    for (const folder of [old, current]) {
      await linkModules(folder);
      report(`Compiling ${folder === old ? revision : 'the working tree'} …`);
      await writeDeclarations(folder);
    }
    return await use(await describe(old), await describe(current));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function copyRevision(revision: string, folder: string): Promise<void> {
  const commit = await git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).catch(() => {
    throw new Error(`git knows no revision ${revision}. git tag --list names the releases.`);
  });
  await mkdir(folder);
  const archive = `${folder}.tar`;
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['-xf', archive, '-C', folder], limits);
  await rm(archive);
}

/** Includes uncommitted changes, but not files that git ignores. */
async function copyWorkingTree(folder: string): Promise<void> {
  const [listed, deleted] = await Promise.all([
    git('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    git('ls-files', '-z', '--deleted'),
  ]);
  const gone = new Set(deleted.split('\0'));
  for (const file of new Set(listed.split('\0').filter((name) => name && !gone.has(name)))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(repositoryRoot, file), join(folder, file), { verbatimSymlinks: true });
  }
}

/**
 * Gives a copy of the repository a `node_modules` with links to the installed packages. Links to the repository's own
 * packages point into the copy, because those of the working tree lead to its sources.
 */
export async function linkModules(folder: string): Promise<void> {
  const installed = join(repositoryRoot, 'node_modules');
  const modules = join(folder, 'node_modules');
  const own = await listOwnPackages(folder);
  const current = await listOwnPackages(repositoryRoot);
  await mkdir(modules);
  for (const name of await readdir(installed)) {
    // Relative links in .bin lead to the packages beside it.
    if (name === '.bin')
      await cp(join(installed, name), join(modules, name), { recursive: true, verbatimSymlinks: true });
    else if (!own.has(name) && !current.has(name)) await symlink(join(installed, name), join(modules, name));
  }
  for (const [name, path] of own) {
    await symlink(join('..', path), join(modules, name));
    // Versions that npm installs for a single package.
    const nested = join(repositoryRoot, path, 'node_modules');
    if (existsSync(nested)) await symlink(nested, join(folder, path, 'node_modules'));
  }
}

/** Package name → its folder in the repository. */
async function listOwnPackages(folder: string): Promise<Map<string, string>> {
  const { workspaces } = z
    .object({ workspaces: z.array(z.string()).default([]) })
    .parse(await readJson(folder, 'package.json'));
  const named = workspaces.map(async (path): Promise<[string, string]> => {
    const { name } = z.object({ name: z.string() }).parse(await readJson(join(folder, path), 'package.json'));
    return [name, path];
  });
  return new Map(await Promise.all(named));
}

async function describe(folder: string): Promise<Release> {
  const { version } = z.object({ version: z.string() }).parse(await readJson(folder, 'package.json'));
  return { folder, version };
}

/**
 * Writes the declarations of all packages where their `exports` expect them. A build would also bundle, which takes a minute.
 *
 * @throws `Error` with the compiler's output
 */
export async function writeDeclarations(folder: string): Promise<void> {
  const project = join(folder, 'tsconfig.declarations.json');
  const entries = await listEntries(folder);
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
    ...{ allowImportingTsExtensions: false, rewriteRelativeImportExtensions: true },
    ...{ rootDir: '.', outDir: 'declarations' },
  };
  await writeFile(
    project,
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions,
      include: [],
      files: entries.map(({ source }) => source),
    }),
  );
  const compiler = join(repositoryRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');
  try {
    await run(process.execPath, [compiler, '--project', project, '--pretty', 'false'], { ...limits, cwd: folder });
  } catch (error) {
    const { data } = z.object({ stdout: z.string(), stderr: z.string() }).safeParse(error);
    throw new Error(`${folder} does not compile:\n${data ? data.stdout + data.stderr : error}`, { cause: error });
  }
  for (const path of (await listOwnPackages(folder)).values()) {
    await cp(join(folder, 'declarations'), join(folder, path, 'dist', 'types'), { recursive: true });
  }
}

/** The contents of a lockfile without the versions of our own packages, which every release changes. */
async function readLocked(folder: string): Promise<string> {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(await readJson(folder, 'package-lock.json'));
  return JSON.stringify(
    Object.entries(packages)
      .filter(([path]) => path.includes('node_modules/'))
      .sort(),
  );
}

async function readJson(folder: string, file: string): Promise<unknown> {
  return JSON.parse(await read(folder, file));
}

function read(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8');
}
