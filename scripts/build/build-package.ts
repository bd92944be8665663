import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import { bundle } from './bundle.ts';
import { bundleCommands } from './commands.ts';
import { writeCommonjsTypes } from './commonjs-types.ts';
import { compile } from './compile.ts';
import { listCommands, listEntries, listNamespaces } from './entries.ts';
import { replaceFolder } from './replace.ts';

/** Builds `dist/`, which is replaced only if the build succeeds. */
export async function buildPackage(): Promise<void> {
  const scripts = await mkdtemp(join(tmpdir(), 'carillon-build-'));
  try {
    const entries = listEntries();
    await replaceFolder(join(repositoryRoot, 'dist'), async (output) => {
      const declarations = join(output, 'types');
      compile({ scripts, declarations });
      await bundle(entries, scripts, output);
      await bundleCommands(listCommands(), join(output, 'bin'));
      writeCommonjsTypes([...entries, ...listNamespaces()], declarations, output);
    });
  } finally {
    await rm(scripts, { recursive: true, force: true });
  }
}
