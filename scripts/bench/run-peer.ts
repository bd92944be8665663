import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../spec/files.ts';

/** A separate package with the alternatives and the measuring tools. */
export const benchFolder = import.meta.dirname;

/** Programs that import the alternatives as users do. */
export const peersFolder = join(benchFolder, 'peers');

/** In milliseconds. A busy machine takes several times longer. */
const deadline = 900_000;

/** Runs a program of `peers/` in its own process. Returns the JSON that it prints. */
export async function runPeer<Result>(program: string, task: object): Promise<Result> {
  return JSON.parse(
    await runCommand(process.execPath, [join(peersFolder, program), JSON.stringify(task)], peersFolder),
  );
}

/**
 * Runs a command and returns its output. Fails with its error output. Node resolves packages as for users, without the
 * condition that selects this repository's sources.
 */
export async function runCommand(command: string, args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', SCARF_ANALYTICS: 'false' };
  try {
    const options = { cwd, env, timeout: deadline, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)(command, args, options)).stdout;
  } catch (error) {
    throw new Error(`${[command, ...args].join(' ').slice(0, 200)} failed: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = ['stderr', 'stdout'].map((name) => String(Reflect.get(error, name) ?? '').trim()).filter(Boolean);
  return printed.join('\n') || error.message;
}

/** Reads the versions of installed packages. */
export function readVersions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, readVersion(name)]));
}

function readVersion(name: string): string {
  for (const folder of [benchFolder, repositoryRoot]) {
    try {
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
      const { version }: { version: string } = JSON.parse(manifest);
      return version;
    } catch {}
  }
  throw new Error(`${name} is not installed`);
}
