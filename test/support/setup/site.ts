/** Builds the docs in `site/` like `npm start`, beside the tests that do not need them, and only after a change. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildSite, siteFolder } from '../../../scripts/docs/starlight/build-site.ts';
import { buildIfChanged } from '../../../scripts/docs/starlight/current-site.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { prepare } from './prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** For `whenReady`. */
    site: string;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  // In a process of its own, because the build would keep Vitest's process busy.
  const build = ['--conditions=carillon-source', import.meta.filename];
  const { folder, end } = prepare(async () => {
    await promisify(execFile)(process.execPath, build, { timeout: 900_000, maxBuffer: 2 ** 26 });
  });
  project.provide('site', folder);
  return end;
}

if (import.meta.main) {
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
