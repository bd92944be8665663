import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../../spec/files.ts';

/** The Astro project that turns the pages into a site. */
export const project: string = join(repositoryRoot, 'docs');

const buildMilliseconds = 300_000;

/** @throws with Astro's whole output if the build fails */
export async function buildWithAstro(options: readonly string[], report: (line: string) => void): Promise<void> {
  const child = startAstro(['build', ...options], 'production', { timeout: buildMilliseconds });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const code = await ended(child);
  if (code !== 0) throw new Error(`astro build failed:\n${output}`);
  const [, built = ''] = /(\d+ page\(s\) built in [\d.]+s)/.exec(output) ?? [];
  report(built);
}

export function startAstro(args: readonly string[], mode: string, options: SpawnOptions): ChildProcess {
  const program = join(project, 'node_modules', 'astro', 'bin', 'astro.mjs');
  return spawn(process.execPath, [program, ...args], {
    ...options,
    cwd: project,
    env: {
      ...process.env,
      NODE_ENV: mode,
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      NODE_OPTIONS: '',
      // In pages, it would replace the base of the command line.
      BASE_URL: undefined,
    },
  });
}

/** Resolves to the exit code. */
export async function ended(child: ChildProcess): Promise<number | null> {
  const [code]: (number | null)[] = await once(child, 'close');
  return code ?? null;
}
