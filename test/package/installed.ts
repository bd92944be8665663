import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { install, local, type Packed, type Project, pack } from '../../scripts/runtimes/package.ts';

/** A folder for the tests of one file. */
export function useFolder(): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carillon-package-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

/** The packed package. */
export function usePacked(): () => Packed {
  const folder = useFolder();
  let packed: Packed = { tarball: '', files: [] };
  beforeAll(async () => {
    packed = await pack(folder());
  });
  return () => packed;
}

/**
 * One of `projects/` with the packed package installed; gives its folder. Nothing comes over the network.
 *
 * @param more - packages of this repository to install beside it
 */
export function useProject(name: Project, ...more: string[]): () => string {
  const folder = useFolder();
  const packed = usePacked();
  const project = (): string => join(folder(), name);
  beforeAll(async () => {
    const dependencies = local('openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types', ...more);
    await install(name, project(), [packed().tarball, ...dependencies]);
  });
  return project;
}
