import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, inject } from 'vitest';
import { copyProject, type Packed, type Project } from '../../../scripts/check/runtimes/package.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** A folder for the tests of one file. */
export function useFolder(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carillon-package-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

/** The packed packages, the same for every file. */
export function usePacked(): () => Packed[] {
  let packed: Packed[] = [];
  beforeAll(async () => {
    packed = JSON.parse(readFileSync(inject('packed'), 'utf8'));
  });
  return () => packed;
}

/**
 * A copy of a project in `projects/`, with a copy of the installed packages. Returns its folder.
 *
 * @param more - packages of this repository to install beside them
 */
export function useProject(name: Project, ...more: string[]): () => string {
  const folder = useFolder();
  const project = (): string => join(folder(), name);
  beforeAll(async () => {
    const nodeModules = inject('installed');
    await copyProject(name, project());
    await cp(nodeModules, join(project(), 'node_modules'), { recursive: true, verbatimSymlinks: true });
    for (const other of more) {
      await cp(join(repositoryRoot, 'node_modules', other), join(project(), 'node_modules', other), {
        recursive: true,
      });
    }
  });
  return project;
}

/**
 * Runs a program in a process with a `require()` that cannot load ES modules, as in Jest with default settings, which `npm run runtimes`
 * tests.
 */
export async function runCommonjs(folder: string, program: string): Promise<string> {
  const args = ['--no-experimental-require-module', '--input-type=commonjs', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 30_000 });
  return stdout;
}
