/**
 * `npm run release:version`: turns the changes in `.changeset/` into a version. Writes the manifests, the lockfile and
 * the changelog.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';
import { addSection, readChangelog, readPending } from './changelog.ts';

const run = promisify(execFile);
const about = 'Makes a version of the changes in .changeset/: writes the version, the lock and CHANGELOG.md.';

export function runReleaseVersion(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run release:version --', about), args, () =>
    reportFailure('There is no new version', async () => {
      console.log(`Version ${await makeVersion(repositoryRoot)}. Read CHANGELOG.md, and commit.`);
      return 0;
    }),
  );
}

/** @returns the new version */
async function makeVersion(folder: string): Promise<string> {
  const { texts, version, current } = await readPending(folder);
  if (version === undefined)
    throw new Error('no change waits in .changeset/. npm run release:check -- --write finds changes');
  const changelog = addSection(await readChangelog(folder), version, texts);
  const options = { cwd: folder, timeout: 120_000 };
  const changesets = join(repositoryRoot, 'node_modules', '@changesets', 'cli', 'bin.js');
  await run(process.execPath, [changesets, 'version'], options);
  // changesets skips the workspace root.
  const file = join(folder, 'package.json');
  const manifest = await readFile(file, 'utf8');
  await writeFile(file, manifest.replace(`"version": "${current}"`, `"version": "${version}"`));
  await run(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'],
    options,
  );
  await writeFile(join(folder, 'CHANGELOG.md'), changelog);
  return version;
}
