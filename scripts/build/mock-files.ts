import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { joinSpecs } from './join-specs.ts';
import { loadPrismOperations } from './prism-operations.ts';

/** Writes Prism, its operations of the specs, the joined spec, and the licences of bundled packages into `dist/` of the mock. */
export async function writeMockFiles(output: string): Promise<void> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')));
  await Promise.all([
    bundlePrism(join(output, 'prism.cjs')).then(async (packages) =>
      writeFile(join(output, 'third-party-licenses.txt'), await listLicenses(packages)),
    ),
    loadPrismOperations().then((operations) => writeFile(join(output, 'operations.json'), JSON.stringify(operations))),
    writeFile(join(output, 'operations.cjs'), operationsModule),
    writeFile(join(output, 'openapi.json'), `${JSON.stringify(joinSpecs(version), null, 2)}\n`),
  ]);
}

const operationsModule = `Object.defineProperty(exports, '__esModule', { value: true });
exports.readOperations = () => require('./operations.json');
`;

/**
 * Bundles Prism into one CommonJS module. Returns the folders of the packages in it.
 *
 * The aliases name files that can be bundled: the main file of `jsonc-parser` loads other files by computed names, and Node warns
 * about its own `punycode`.
 */
async function bundlePrism(outfile: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [join('src', 'mock', 'prism.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js', punycode: 'punycode/' },
    // The licences are in a separate file.
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  return packagesIn(metafile);
}

function packagesIn({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
  author: z.union([z.string(), z.object({ name: z.string() })]).optional(),
});

async function listLicenses(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(folders.map(licenseOf));
  return `dist/prism.cjs contains these packages.\n\n${texts.join('\n')}`;
}

/** Name, version and licence of a package, with the text of its licence files. */
async function licenseOf(folder: string): Promise<string> {
  const path = join(repositoryRoot, folder);
  const manifest = manifestShape.parse(JSON.parse(await readFile(join(path, 'package.json'), 'utf8')));
  const { name, version, license = manifest.licenses?.[0]?.type, author } = manifest;
  if (license === undefined) throw new Error(`${name} ${version} states no licence, so the mock may not contain it`);
  const files = (await readdir(path)).filter((file) => /^(?:licen[cs]e|notice|copying)\b/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  const by = typeof author === 'string' ? author : author?.name;
  return [`${'-'.repeat(80)}\n${name} ${version}: ${license}${by ? `, by ${by}` : ''}`, ...texts, ''].join('\n\n');
}
