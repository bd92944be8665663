/**
 * `npm run pins`: lists pinned versions in package.json files that are older than the latest release, with the reasons
 * from `docs/decisions/0005-development-dependencies.md`.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';

const decision = 'docs/decisions/0005-development-dependencies.md';
const about = 'Prints the exact versions that are older than the latest release, and the reason why each is held.';

export interface Pin {
  name: string;
  version: string;
  latest: string;
  /** Folders of the package.json files, such as `docs`. */
  folders: string[];
}

/** `npm run pins`. Resolves to the exit code. */
export function runPins(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run pins --', about), args, () =>
    reportFailure('Nothing was compared', async () => {
      const pins = await findPins();
      console.log(formatPins(pins, readReasons(readFileSync(join(repositoryRoot, decision), 'utf8'))));
      return 0;
    }),
  );
}

const outdated = z.object({ current: z.string().optional(), wanted: z.string(), latest: z.string() });
const answer = z.record(z.string(), z.union([outdated.array(), outdated.transform((one) => [one])]));

/** Asks npm about every lockfile of the repository. The root's lockfile includes the workspaces. */
async function findPins(): Promise<Pin[]> {
  const locks = globSync('{,docs/,{scripts,test}/**/}package-lock.json', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**'],
  });
  const folders = locks.map((lock) => dirname(lock)).sort();
  const found = await Promise.all(
    folders.map(async (folder) => ({ folder, packages: readOutdated(await askNpm(join(repositoryRoot, folder))) })),
  );
  const pins = new Map<string, Pin>();
  for (const { folder, packages } of found) {
    for (const { name, version, latest } of packages) {
      const pin = pins.get(`${name} ${version}`) ?? { name, version, latest, folders: [] };
      pins.set(`${name} ${version}`, { ...pin, folders: [...pin.folders, folder === '.' ? 'root' : folder] });
    }
  }
  return [...pins.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Reads the output of `npm outdated --json`. Skips ranges that permit the latest version.
 *
 * @throws `Error` in one sentence if npm could not reach the registry
 */
export function readOutdated(output: string): Omit<Pin, 'folders'>[] {
  const json: unknown = output.trim() === '' ? {} : JSON.parse(output);
  const failure = z.object({ error: z.object({ code: z.string().optional(), summary: z.string() }) }).safeParse(json);
  if (failure.success) {
    const { code, summary } = failure.data.error;
    throw new Error(`npm could not ask the registry (${code ?? summary.split('\n')[0]}). Check the network.`);
  }
  return Object.entries(answer.parse(json)).flatMap(([key, uses]) => {
    // npm writes an alias as `keyv-6:keyv@6.1.0`.
    const [name = key] = key.split(':');
    const [pinned] = uses.filter(({ wanted, latest }) => wanted !== latest);
    return pinned ? [{ name, version: pinned.wanted, latest: pinned.latest }] : [];
  });
}

/** `npm outdated` exits with 1 if a package is outdated. */
function askNpm(cwd: string): Promise<string> {
  const args = ['outdated', '--json', '--fetch-retries=0', '--fetch-timeout=30000'];
  const options = { cwd, timeout: 120_000, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  return new Promise((resolve, reject) => {
    execFile('npm', args, options, (error, output) => {
      if (error && error.code !== 1 && output === '') reject(error);
      else resolve(output);
    });
  });
}

/** Package → reason, from the table in the decision record. */
export function readReasons(text: string): Map<string, string> {
  const [, section = ''] = text.split('\n## Held versions\n');
  const rows = section.matchAll(/^\| (?<packages>`.+?) \| (?<reason>.+?) \|$/gm);
  return new Map(
    [...rows].flatMap(({ groups }) =>
      [...(groups?.packages ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, groups?.reason ?? '']),
    ),
  );
}

/** One line for each version. Versions without a reason come first, because they can be updated. */
export function formatPins(pins: readonly Pin[], reasons: ReadonlyMap<string, string>): string {
  if (pins.length === 0) return 'Every exact version is the latest one.';
  const width = Math.max(...pins.map(({ name }) => name.length));
  const line = ({ name, version, latest, folders }: Pin): string =>
    `  ${name.padEnd(width)}  ${version} → ${latest}  (${folders.join(', ')})`;
  const free = pins.filter(({ name }) => !reasons.has(name));
  const held = pins.filter(({ name }) => reasons.has(name));
  return [
    `Can move: ${free.length}`,
    ...free.map(line),
    `Held for a reason (${decision}): ${held.length}`,
    ...held.map((pin) => `${line(pin)}: ${reasons.get(pin.name)}`),
  ].join('\n');
}
