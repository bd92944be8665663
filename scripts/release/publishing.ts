import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sectionOf } from './changelog.ts';

const manifest = z.object({ version: z.string(), repository: z.unknown().optional() });

/**
 * Reasons that prevent publishing a version, each a sentence that says what to do.
 *
 * @param waiting - number of changes in `.changeset/`
 * @param tags - tags of the existing releases
 */
export async function findObstacles(folder: string, waiting: number, tags: readonly string[]): Promise<string[]> {
  const { version, repository } = manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  const [title = ''] = sectionOf(await readFile(join(folder, 'CHANGELOG.md'), 'utf8'), version).split('\n');
  const obstacles = [
    repository === undefined &&
      'package.json has no `repository`, so npm cannot say which commit a package comes from. Its owner sets it, such as https://github.com/owner/name.',
    waiting > 0 && `${waiting} changes wait in .changeset/. Make a version of them: npm run release:version`,
    title === '' && `CHANGELOG.md has no section of version ${version}. Write it, or run npm run release:version.`,
    title.includes('not released yet') &&
      `CHANGELOG.md says that version ${version} is not released yet. Write the date there.`,
    tags.includes(`v${version}`) &&
      `Version ${version} has been released: v${version} exists. Publish a higher version.`,
  ];
  return obstacles.filter((each) => typeof each === 'string');
}
