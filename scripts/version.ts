/**
 * `npm run release:version`: turns the changes in `.changeset/` into a version.
 *
 * In: `.changeset/*.md`.
 * Out: the version in all manifests and the lockfile, and a section of `CHANGELOG.md`. The files of the changes are removed.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reportFailure } from './command-line/dispatch.ts';
import { repositoryRoot } from './spec/files.ts';

const changesets = join(repositoryRoot, 'node_modules', '@changesets', 'cli', 'bin.js');
const lock = ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'];

/**
 * Makes the next version of the packages in a workspace. changesets writes the packages' manifests; the root's manifest, the
 * lockfile and the one changelog of all packages are ours.
 *
 * @returns the new version
 */
export async function makeVersion(folder: string): Promise<string> {
  const changes = await readChanges(join(folder, '.changeset'));
  if (changes.length === 0) throw new Error('there is no change in .changeset/: create one with `npx changeset`');
  const run = (file: string, args: string[]) => promisify(execFile)(file, args, { cwd: folder, timeout: 120_000 });
  await run(process.execPath, [changesets, 'version']);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const [first] = manifest.workspaces;
  const { version } = JSON.parse(await readFile(join(folder, first, 'package.json'), 'utf8'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await run('npm', lock);
  const changelog = await readFile(join(folder, 'CHANGELOG.md'), 'utf8');
  await writeFile(join(folder, 'CHANGELOG.md'), addSection(changelog, version, changes));
  return version;
}

/** The texts of the waiting changes, without the versions at their head. */
async function readChanges(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md').sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => text.replace(/^---\n.*?^---\n/ms, '').trim());
}

/** Adds the section of a version above the newest one. */
function addSection(changelog: string, version: string, changes: readonly string[]): string {
  const start = changelog.search(/^## /m);
  const place = start < 0 ? changelog.length : start;
  return `${changelog.slice(0, place)}## ${version}\n\n${changes.join('\n')}\n\n${changelog.slice(place)}`;
}

if (import.meta.main) {
  process.exitCode = await reportFailure('There is no new version', async () => {
    console.log(`Version ${await makeVersion(repositoryRoot)}. Read CHANGELOG.md, and commit.`);
    return 0;
  });
}
