/**
 * `npm run pins`: lists versions that are older than the latest release: exact ones in package.json files, and installed ones of
 * ranges, which the lock holds. `renovate.json` says which are held, and why.
 */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { maxSatisfying } from 'semver';
import { z } from 'zod';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';

const about =
  'Prints the exact and the locked versions that are older than the latest release, and the reason why each is held.';

/** A package with an older version than the latest one. */
export interface Outdated {
  name: string;
  /** Name in the registry. That of an alias, such as `keyv-6`, is another one. */
  registryName: string;
  version: string;
  latest: string;
}

export interface Pin extends Outdated {
  /** Newest version that the package may move to: the latest, or the newest in the range that it is held in. */
  newest: string;
  /** Folders of the package.json files, such as `docs`. */
  folders: string[];
}

/** The range of versions that a package is held in, and why. */
export interface Hold {
  range: string;
  reason: string;
}

/** `npm run pins`. Resolves to the exit code. */
export function runPins(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run pins --', about), args, () =>
    reportFailure('Nothing was compared', async () => {
      const holds = readHolds(readFileSync(join(repositoryRoot, 'renovate.json'), 'utf8'));
      console.log(formatPins(await findPins(holds), holds));
      return 0;
    }),
  );
}

const outdated = z.object({ current: z.string().optional(), wanted: z.string(), latest: z.string() });
const answer = z.record(z.string(), z.union([outdated.array(), outdated.transform((one) => [one])]));

/** Asks npm about every lockfile of the repository. The root's lockfile includes the workspaces. */
async function findPins(holds: ReadonlyMap<string, Hold>): Promise<Pin[]> {
  const locks = globSync('{,docs/,{scripts,test}/**/}package-lock.json', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**'],
  });
  const folders = locks.map((lock) => dirname(lock)).sort();
  const found = await Promise.all(
    folders.map(async (folder) => ({
      folder: folder === '.' ? 'root' : folder,
      packages: readOutdated(await askNpm(join(repositoryRoot, folder), 'outdated', '--json')),
    })),
  );
  const pins = new Map<string, Outdated & { folders: string[] }>();
  for (const { folder, packages } of found) {
    for (const one of packages) {
      const key = `${one.name} ${one.version}`;
      pins.set(key, { ...one, folders: [...(pins.get(key)?.folders ?? []), folder] });
    }
  }
  const sorted = [...pins.values()].sort((a, b) => a.name.localeCompare(b.name));
  return Promise.all(sorted.map(async (pin) => ({ ...pin, newest: await findNewest(pin, holds.get(pin.name)) })));
}

async function findNewest({ registryName, version, latest }: Outdated, hold: Hold | undefined): Promise<string> {
  if (!hold) return latest;
  const output = await askNpm(repositoryRoot, 'view', registryName, 'versions', '--json');
  return newestIn(hold.range, output, version);
}

/** The newest version in a range, from the output of `npm view <package> versions --json`. At least the pinned version. */
export function newestIn(range: string, output: string, pinned: string): string {
  const versions = z.union([z.string().array(), z.string().transform((one) => [one])]).parse(JSON.parse(output));
  return maxSatisfying([...versions, pinned], `${range} >=${pinned}`) ?? pinned;
}

/**
 * Reads the output of `npm outdated --json`. A range counts with its installed version, or else with the newest version in it.
 *
 * @throws `Error` in one sentence if npm could not reach the registry
 */
export function readOutdated(output: string): Outdated[] {
  const json: unknown = output.trim() === '' ? {} : JSON.parse(output);
  const failure = z.object({ error: z.object({ code: z.string().optional(), summary: z.string() }) }).safeParse(json);
  if (failure.success) {
    const { code, summary } = failure.data.error;
    throw new Error(`npm could not ask the registry (${code ?? summary.split('\n')[0]}). Check the network.`);
  }
  return Object.entries(answer.parse(json)).flatMap(([key, uses]) => {
    // npm writes an alias as `keyv-6:keyv@6.1.0`.
    const [name = key, target = name] = key.split(':');
    const [found] = uses
      .map(({ current, wanted, latest }) => ({ version: current ?? wanted, latest }))
      .filter(({ version, latest }) => version !== latest);
    return found ? [{ name, registryName: target.replace(/(?<=.)@.*$/, ''), ...found }] : [];
  });
}

/** `npm outdated` exits with 1 if a package is outdated. */
function askNpm(cwd: string, ...command: string[]): Promise<string> {
  const args = [...command, '--fetch-retries=0', '--fetch-timeout=30000'];
  const options = { cwd, timeout: 120_000, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' };
  return new Promise((resolve, reject) => {
    execFile('npm', args, options, (error, output) => {
      if (error && error.code !== 1 && output === '') reject(error);
      else resolve(output);
    });
  });
}

const renovate = z.object({
  packageRules: z
    .object({ matchDepNames: z.string().array(), allowedVersions: z.string(), description: z.string() })
    // Rules of updates hold no versions.
    .or(z.object({ allowedVersions: z.undefined().optional() }).transform(() => undefined))
    .array(),
});

/** Package → the range that `renovate.json` holds it in. */
export function readHolds(text: string): Map<string, Hold> {
  const { packageRules } = renovate.parse(JSON.parse(text));
  return new Map(
    packageRules.flatMap((rule) =>
      rule
        ? rule.matchDepNames.map((name): [string, Hold] => [
            name,
            { range: rule.allowedVersions, reason: rule.description },
          ])
        : [],
    ),
  );
}

/** One line for each version: first those that can move, then those that are held. */
export function formatPins(pins: readonly Pin[], holds: ReadonlyMap<string, Hold>): string {
  if (pins.length === 0) return 'Every exact or locked version is the latest one.';
  const width = Math.max(...pins.map(({ name }) => name.length));
  const line = ({ name, version, folders }: Pin, next: string): string =>
    `  ${name.padEnd(width)}  ${version} → ${next}  (${folders.join(', ')})`;
  const free = pins.filter(({ version, newest }) => version !== newest);
  const held = pins.filter(({ newest, latest }) => newest !== latest);
  return [
    `Can move: ${free.length}`,
    ...free.map((pin) => line(pin, pin.newest)),
    `Held (renovate.json): ${held.length}`,
    ...held.map((pin) => `${line(pin, pin.latest)}: ${holds.get(pin.name)?.reason}`),
  ].join('\n');
}
