/** `npm run build`: the package's sources → `dist/`. Replaces `dist/` only if the build succeeds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './build/bundle.ts';
import { bundleCommands } from './build/commands.ts';
import { writeCommonjsTypes } from './build/commonjs-types.ts';
import { compile } from './build/compile.ts';
import { listCommands, listEntries } from './build/entries.ts';
import { replaceFolder } from './build/replace.ts';
import { repositoryRoot } from './spec/files.ts';

const scripts = await mkdtemp(join(tmpdir(), 'carillon-build-'));
try {
  const entries = listEntries();
  await replaceFolder(join(repositoryRoot, 'dist'), async (output) => {
    const declarations = join(output, 'types');
    compile({ scripts, declarations });
    await bundle(entries, scripts, output);
    await bundleCommands(listCommands(), join(output, 'bin'));
    writeCommonjsTypes(entries, declarations, output);
  });
} catch (error) {
  console.error(`dist/ was not built: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await rm(scripts, { recursive: true, force: true });
}
