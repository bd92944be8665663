import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../../check/runtimes/package.ts';
import { runProgram } from '../built.ts';
import type { Verdict } from '../verdict.ts';
import type { PackedPackage, Tarballs } from './collect.ts';

/**
 * Installs all packages into an empty folder, and loads each entry as a module, and with `require` if it has that
 * condition.
 */
export async function tryInstall(
  packages: Readonly<Record<string, PackedPackage>>,
  tarballs: Tarballs,
  release: string,
): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-install-'));
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    // Install the release's own versions of peers, so that they fit.
    const peers = Object.values(packages)
      .flatMap(({ manifest }) => Object.keys(manifest.peerDependencies))
      .filter((name) => !tarballs.has(name))
      .map((name) => join(release, 'node_modules', name));
    try {
      await npm(['install', '--install-links', '--prefer-offline', ...tarballs.values(), ...new Set(peers)], folder);
    } catch (error) {
      return [broken('install', `The packages cannot be installed together: ${reasonOf(error)}`)];
    }
    const found: Verdict[] = [];
    for (const { name, load } of loadsOf(packages)) {
      const file = join(folder, load.startsWith('require') ? 'load.cjs' : 'load.mjs');
      await writeFile(file, load);
      const { code, stderr } = await runProgram(file, [], { cwd: folder, timeout: 30_000 });
      if (code !== 0) found.push(broken(load, `${name} cannot be loaded with \`${load}\`: ${lastLine(stderr)}`));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Programs that load each entry. Skips commands, which would start, and plain files. */
function* loadsOf(packages: Readonly<Record<string, PackedPackage>>): Generator<{ name: string; load: string }> {
  for (const { manifest } of Object.values(packages)) {
    for (const [path, target] of Object.entries(manifest.exports)) {
      if (typeof target !== 'object' || target === null || path.includes('*') || !('import' in target)) continue;
      const name = `${manifest.name}${path.slice(1)}`;
      yield { name, load: `await import('${name}');` };
      if ('require' in target) yield { name, load: `require('${name}');` };
    }
  }
}

function broken(place: string, sentence: string): Verdict {
  return { surface: 'packages', impact: 'break', place, sentence };
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return text.split('\n').find((line) => line.trim() !== '') ?? 'npm failed without a reason.';
}

/** The error's line in Node's output. */
function lastLine(stderr: string): string {
  return /^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? '';
}
