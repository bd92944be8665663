/** Builds the packages, packs them, and installs them as users do, once for all tests of the project **packages**. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { install, local, type Packed, pack } from '../../../scripts/check/runtimes/package.ts';
import { provideTools } from '../../../scripts/command-line/provide-tools.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `node_modules` of tools that only system tests need. */
    tools: string;
    packed: Packed[];
    /** `node_modules` with the packed packages and their dependencies. */
    installed: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
  await provideTools(tools, 'the tools of system tests', console.log);
  const build = join(repositoryRoot, 'scripts', 'build', 'main.ts');
  await promisify(execFile)(process.execPath, [build], { timeout: 300_000 });
  const folder = await mkdtemp(join(tmpdir(), 'carillon-run-'));
  const packed = await pack(folder);
  const installed = join(folder, 'installed');
  await install('program', installed, [
    ...packed.map(({ tarball }) => tarball),
    ...local('@types/node', 'undici-types'),
  ]);
  project.provide('tools', join(tools, 'node_modules'));
  project.provide('packed', packed);
  project.provide('installed', join(installed, 'node_modules'));
  return () => rm(folder, { recursive: true, force: true });
}
