import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { userEnvironment } from '../check/runtimes/package.ts';

const conditions: z.ZodType<Target> = z.lazy(() => z.union([z.string(), z.null(), z.record(z.string(), conditions)]));

/** A file of a package, or files by condition. */
export type Target = string | null | { [condition: string]: Target };

const names = z.record(z.string(), z.string()).default({});
const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  type: z.string().optional(),
  exports: z.record(z.string(), conditions).default({}),
  bin: names,
  engines: names,
  dependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).default({}),
});

export type Manifest = z.infer<typeof manifest>;

/** A built package of a release. */
export interface BuiltPackage {
  /** Absolute path. */
  folder: string;
  manifest: Manifest;
}

/** The packages of a release. */
export function listBuiltPackages(release: string): BuiltPackage[] {
  const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(readJson(join(release, 'package.json')));
  return workspaces.map((folder) => {
    const path = join(release, folder);
    return { folder: path, manifest: manifest.parse(readJson(join(path, 'package.json'))) };
  });
}

/** The commands of all packages of a release, with the absolute paths of their programs. */
export function listPrograms(release: string): Map<string, string> {
  const programs = listBuiltPackages(release).flatMap(({ folder, manifest: { bin } }) =>
    Object.entries(bin).map(([name, file]): [string, string] => [name, join(folder, file)]),
  );
  return new Map(programs);
}

export interface Ended {
  /** `null` if it was killed, for example after its deadline. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program as users do, without this repository's conditions and settings. */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env = {}, timeout = 60_000 }: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<Ended> {
  const options = { cwd, env: { ...userEnvironment(), ...env }, timeout, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      if (error && typeof error.code === 'string') reject(error);
      else resolve({ code: error ? (typeof error.code === 'number' ? error.code : null) : 0, stdout, stderr });
    });
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
