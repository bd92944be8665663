/** Builds the packages, packs them, and installs them as users do, beside the tests that do not need them, and only after a change. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { listPackages } from '../../../scripts/build/packages.ts';
import { install, local, type Packed, pack } from '../../../scripts/check/runtimes/package.ts';
import { hashFolder } from '../../../scripts/command-line/hash-files.ts';
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
/** Hash of sources and results. */
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
  project.provide('installed', join(folder, 'installed', 'node_modules'));
  return preparation.end;
}

async function providePackages(): Promise<void> {
  const sources = hashSources();
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === sources + hashResults()) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const build = join(repositoryRoot, 'scripts', 'build', 'main.ts');
  await promisify(execFile)(process.execPath, [build], { timeout: 600_000 });
  const packed: Packed[] = await pack(folder);
  writeFileSync(packedFile, JSON.stringify(packed));
  await install('program', join(folder, 'installed'), [
    ...packed.map(({ tarball }) => tarball),
    ...local('@types/node', 'undici-types'),
  ]);
  writeFileSync(keyFile, sources + hashResults());
}

/** All that the build reads: sources, specs, the pages that it copies, the installed packages, and Node. */
function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  const without = new Set(['node_modules', 'dist']);
  for (const part of ['src', 'generated', 'spec', 'scripts', 'docs/guides', 'docs/decisions'])
    hash.update(hashFolder(join(repositoryRoot, part), without));
  for (const file of [
    'package.json',
    'tsconfig.json',
    'README.md',
    'AGENTS.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'LICENSE',
  ])
    hash.update(readFileSync(join(repositoryRoot, file)));
  return hash.update(readFileSync(join(repositoryRoot, 'node_modules', '.package-lock.json'))).digest('hex');
}

function hashResults(): string {
  const hash = createHash('sha256');
  for (const { folder: path } of listPackages()) hash.update(hashFolder(join(repositoryRoot, path, 'dist')));
  return hash.update(readFileSync(packedFile)).digest('hex');
}
