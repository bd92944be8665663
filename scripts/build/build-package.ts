import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import { bundle } from './bundle.ts';
import { writeCommonjsTypes } from './commonjs-types.ts';
import { compile, copyDeclarations } from './compile.ts';
import { buildKey, forgetKey, recordKey } from './key.ts';
import { writeMockFiles } from './mock-files.ts';
import { copyPages } from './package-pages.ts';
import { listPackages } from './packages.ts';
import { replaceFolder } from './replace.ts';
import { scenarioSchema } from './scenario-schema.ts';

/** Builds `dist/` of each package, and records the key. A failed build leaves the old folder in place. */
export async function buildPackages(): Promise<void> {
  // Compute the key before the build, so that a change during the build causes another build.
  const key = buildKey();
  forgetKey();
  const compiled = await mkdtemp(join(tmpdir(), 'carillon-build-'));
  try {
    const packages = listPackages();
    await compile(packages, compiled);
    for (const one of packages) {
      await replaceFolder(join(repositoryRoot, one.folder, 'dist'), async (output) => {
        const declarations = join(output, 'types');
        copyDeclarations(one, compiled, declarations);
        await bundle(one, compiled, output);
        writeCommonjsTypes([...one.entries, ...one.namespaces], declarations, output);
        await copyPages(one.name, output);
        if (one.name === 'carillon-sandbox') await writeScenarios(output);
        if (one.name === 'carillon-mock') await writeMockFiles(output);
      });
      // npm includes the license of the package's folder.
      await copyFile(join(repositoryRoot, 'LICENSE'), join(repositoryRoot, one.folder, 'LICENSE'));
    }
    recordKey(key);
  } finally {
    await rm(compiled, { recursive: true, force: true });
  }
}

/** Writes the JSON schema of scenarios, which editors use. */
async function writeScenarios(output: string): Promise<void> {
  await writeFile(join(output, 'scenario.schema.json'), `${JSON.stringify(scenarioSchema(), null, 2)}\n`);
}
