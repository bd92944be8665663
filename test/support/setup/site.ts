/** Builds the docs in `site/` like `npm start`, only after a change. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIfChanged } from '../../../scripts/docs/current-site.ts';
import { buildSite, siteFolder } from '../../../scripts/docs/site.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

export default async function setup(): Promise<void> {
  // In a fresh clone, the build replaces an old site.
  if (!existsSync(siteFolder)) {
    await mkdir(siteFolder);
    for (const file of ['index.html', 'gone.html']) await writeFile(join(siteFolder, file), 'the old site');
  }
  await buildIfChanged({
    root: repositoryRoot,
    site: siteFolder,
    build: (report) => buildSite({ report }),
    report: () => undefined,
  });
}
