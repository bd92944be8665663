import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { z } from 'zod';
import { npm } from '../../check/runtimes/package.ts';
import { provideTools } from '../../command-line/provide-tools.ts';
import { repositoryRoot } from '../../spec/files.ts';
import { type BuiltPackage, listBuiltPackages, type Manifest } from '../built.ts';

/** A package as users get it. */
export interface PackedPackage {
  manifest: Manifest;
  /** Paths from the root of the package. */
  files: string[];
  /** Download size in bytes. */
  packed: number;
  /** Size on disk in bytes. */
  unpacked: number;
  /** Problems that publint and attw found. */
  problems: string[];
}

/** Package name → absolute path of its tarball. */
export type Tarballs = ReadonlyMap<string, string>;

const packedByNpm = z.array(
  z.object({
    name: z.string(),
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
);

/**
 * Packs the packages of a release into a folder that is removed after `use`.
 *
 * @param isChecked - whether publint and attw check them
 */
export async function withPackages<Result>(
  release: string,
  isChecked: boolean,
  use: (packages: Record<string, PackedPackage>, tarballs: Tarballs) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-packages-'));
  try {
    const tarballs = new Map<string, string>();
    const packages: Record<string, PackedPackage> = {};
    for (const built of listBuiltPackages(release)) {
      const [packed, tarball] = await pack(built, folder, isChecked);
      tarballs.set(built.manifest.name, tarball);
      packages[built.manifest.name] = packed;
    }
    return await use(packages, tarballs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function pack(
  { folder, manifest }: BuiltPackage,
  destination: string,
  isChecked: boolean,
): Promise<[PackedPackage, string]> {
  // Skips lifecycle scripts, so that the built files are packed.
  const output = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', destination], folder);
  const [found] = packedByNpm.parse(JSON.parse(output));
  if (!found) throw new Error(`npm created no package file of ${manifest.name}.`);
  const tarball = join(destination, found.filename);
  const { size: packed, unpackedSize: unpacked } = found;
  const problems = isChecked ? [...(await askPublint(tarball)), ...(await askAttw(tarball, manifest))] : [];
  return [{ manifest, files: found.files.map(({ path }) => path), packed, unpacked, problems }, tarball];
}

async function askPublint(tarball: string): Promise<string[]> {
  const { buffer } = new Uint8Array(await readFile(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'suggestion', strict: true });
  // This condition leads to the sources in this repository, and users do not set it.
  const others = messages.filter(({ path }) => !path.includes('carillon-source'));
  return others.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

const attwReport = z.object({
  analysis: z.object({
    problems: z
      .array(
        z.looseObject({ kind: z.string(), entrypoint: z.string().optional(), resolutionKind: z.string().optional() }),
      )
      .optional(),
  }),
});

/** Problems of types, for each module resolution and each imported entry. */
async function askAttw(tarball: string, { exports }: Manifest): Promise<string[]> {
  const programs = Object.keys(exports).filter((path) => path === './command');
  if (Object.keys(exports).every((path) => path === './package.json' || path === './command')) return [];
  const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
  await provideTools(tools, 'the tools of the checks', console.error);
  const program = join(tools, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const args = [program, '--format', 'json', tarball];
  if (programs.length > 0) args.push('--exclude-entrypoints', ...programs);
  const options = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error: unknown) => {
    // The command fails if it finds problems.
    if (error instanceof Error && 'stdout' in error && error.stdout) return { stdout: String(error.stdout) };
    throw error;
  });
  const { problems = [] } = attwReport.parse(JSON.parse(stdout)).analysis;
  return problems.map(
    ({ kind, entrypoint = '', resolutionKind = '' }) =>
      `attw: ${[kind, entrypoint, resolutionKind].filter(Boolean).join(' ')}`,
  );
}
