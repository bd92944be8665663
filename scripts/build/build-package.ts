import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import { bundle } from './bundle.ts';
import { writeCommonjsTypes } from './commonjs-types.ts';
import { compile } from './compile.ts';
import { listPackages, type Package } from './packages.ts';
import { replaceFolder } from './replace.ts';

/** Builds `dist/` of each package, which is replaced only if its build succeeds. */
export async function buildPackages(): Promise<void> {
  const scripts = await mkdtemp(join(tmpdir(), 'carillon-build-'));
  try {
    const packages = listPackages();
    const compiled = compile(packages, scripts);
    for (const one of packages) {
      await replaceFolder(join(repositoryRoot, one.folder, 'dist'), async (output) => {
        const declarations = join(output, 'types');
        compiled.writeDeclarations(one, declarations);
        await bundle(one, scripts, output);
        writeCommonjsTypes([...one.entries, ...one.namespaces], declarations, output);
        await copyPages(one, output);
      });
      // npm looks for it here.
      await copyFile(join(repositoryRoot, 'LICENSE'), join(repositoryRoot, one.folder, 'LICENSE'));
    }
  } finally {
    await rm(scripts, { recursive: true, force: true });
  }
}

/** What users read in a package beside its README, by the folder in `dist/`. */
const pages: Record<string, { [folder: string]: string[] }> = {
  carillon: {
    spec: ['spec/README.md', 'spec/crm.yaml', 'spec/messaging.yaml', 'spec/email.yaml', 'spec/gaps.yaml'],
    docs: [
      ...['authentication', 'errors', 'import-contacts', 'options', 'own-fields', 'proxies', 'tanstack-query'].map(
        (name) => `docs/guides/${name}.md`,
      ),
      'generated/llms.txt',
      'generated/llms-full.txt',
      'AGENTS.md',
      'CHANGELOG.md',
      'SECURITY.md',
    ],
  },
  'carillon-sandbox': { docs: ['docs/guides/sandbox.md'] },
  'carillon-jobs': { docs: ['docs/guides/jobs.md', 'docs/decisions/0009-jobs-on-postgres.md'] },
  'carillon-cli': { docs: ['docs/guides/terminal.md', 'docs/guides/agents.md'] },
};

async function copyPages({ name }: Package, output: string): Promise<void> {
  for (const [folder, files] of Object.entries(pages[name] ?? {})) {
    await mkdir(join(output, folder), { recursive: true });
    for (const file of files) await cp(join(repositoryRoot, file), join(output, folder, basename(file)));
  }
}
