/** Builds the packages, packs them, and installs them as users do, beside the tests that do not need them, and only after a change. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildKey, isBuilt } from '../../../scripts/build/key.ts';
import { copyPages } from '../../../scripts/build/package-pages.ts';
import { listPackages } from '../../../scripts/build/packages.ts';
import { install, local, pack } from '../../../scripts/check/runtimes/package.ts';
import { provideSharedTools, sharedTools } from '../../../scripts/command-line/provide-tools.ts';
import { userCache } from '../../../scripts/command-line/user-cache.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { type Preparation, prepare } from './prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `whenReady`. */
    packages: string;
    /** `node_modules` of tools that only system tests need. */
    tools: string;
    /** JSON file with the packed packages. */
    packed: string;
    /** `node_modules` with the packed packages and their dependencies. */
    installed: string;
  }
}

const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
/** Outside the repository, because Node would find its packages from a folder below it. */
const folder = userCache(`packages-${createHash('sha256').update(repositoryRoot).digest('hex').slice(0, 12)}`);
const packedFile = join(folder, 'packed.json');
const installed = join(folder, 'installed', 'node_modules');
/** Key of the installed packages. */
const keyFile = join(folder, 'key');

/** Shared by all projects of a run. */
let preparation: Preparation | undefined;

export default function setup(project: TestProject): () => Promise<void> {
  preparation ??= prepare(async () => {
    await Promise.all([provideSharedTools(tools, 'the tools of system tests', console.log), providePackages()]);
  });
  project.provide('packages', preparation.folder);
  project.provide('tools', sharedTools(tools));
  project.provide('packed', packedFile);
  project.provide('installed', installed);
  return preparation.end;
}

async function providePackages(): Promise<void> {
  const key = buildKey();
  if (!isBuilt(key)) {
    const build = join(repositoryRoot, 'scripts', 'build', 'main.ts');
    await promisify(execFile)(process.execPath, [build], { timeout: 600_000 });
  }
  if (!existsSync(keyFile) || readFileSync(keyFile, 'utf8') !== key) await installPacked(key);
  // Always, because it takes milliseconds. The tarballs keep their older pages, which no test reads.
  for (const { name, folder: path } of listPackages()) {
    for (const place of [join(repositoryRoot, path), join(installed, name)]) await copyPages(name, join(place, 'dist'));
  }
}

async function installPacked(key: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await pack(folder);
  writeFileSync(packedFile, JSON.stringify(packed));
  await install('program', join(folder, 'installed'), [
    ...packed.map(({ tarball }) => tarball),
    ...local('@types/node', 'undici-types'),
  ]);
  writeFileSync(keyFile, key);
}
