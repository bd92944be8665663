import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { usePacked } from './installed.ts';

const packed = usePacked();

interface Manifest {
  files: string[];
  exports: Record<string, string | Record<'import' | 'require', Record<'types' | 'default', string>>>;
}
const manifest: Manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));

/** The files that `exports` names; patterns included. */
const targets = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap((files) => Object.values(files)),
);

/** The declarations of the modules below a folder of the repository, as the build names them. */
function declarations(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `dist/types/${folder}/${path.replace(/\.ts$/, '.d.ts').replaceAll('\\', '/')}`);
}

test('publint has nothing to say, not even a suggestion', async () => {
  const { buffer } = new Uint8Array(readFileSync(packed().tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'suggestion', strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('are-the-types-wrong finds nothing, for any module resolution and any entry', async () => {
  const attw = join(repositoryRoot, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const args = [attw, '--format', 'ascii', '--no-color', packed().tarball];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 }).catch((error) => error);
  expect(stdout).toContain('No problems found');
});

test('every target of exports is in it', () => {
  const patterns = targets.filter((target) => target.includes('*'));
  expect(patterns).toEqual(['./spec/*']);
  const files = packed().files.map((path) => `./${path}`);
  expect(targets.filter((target) => !target.includes('*') && !files.includes(target))).toEqual([]);
  for (const name of specNames) expect(files).toContain(`./spec/${name}.yaml`);
});

test('only what users need is in it: bundles, commands, declarations, the specs and pages that other pages of it link to', () => {
  const pages = manifest.files.filter((file) => file.endsWith('.md'));
  const linked = ['README.md', ...pages].map((page) => readFileSync(join(repositoryRoot, page), 'utf8')).join('\n');
  expect(pages.filter((page) => !linked.includes(page.replace(/^docs\/(?:guides\/)?/, '')))).toEqual([]);

  const known = [
    'LICENSE',
    'README.md',
    ...pages,
    'generated/llms-full.txt',
    'generated/llms.txt',
    'package.json',
    ...specNames.map((name) => `spec/${name}.yaml`),
    'spec/gaps.yaml',
    ...targets.map((target) => target.slice('./'.length)),
    ...declarations('src'),
    ...declarations('generated'),
  ];
  const folders = /^dist\/(?:bin|chunks|parts|bin\/chunks)\/[\w.-]+$/;
  expect(packed().files.filter((path) => !known.includes(path) && !folders.test(path))).toEqual([]);
});

/** The packages that a file of `dist/` and the files that it imports load. */
async function packagesOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(repositoryRoot, 'dist', file)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap((one) => (one.external ? one.path : [])),
  );
}

test.each(['.js', '.cjs'])('of the entries *%s, only validate and sandbox load zod or hono', async (extension) => {
  const heavy: string[] = [];
  for (const { name } of listPackages().flatMap(({ entries }) => entries)) {
    const packages = await packagesOf(`${name}${extension}`);
    if (packages.some((path) => /^(?:zod|hono)(?:\/|$)/.test(path))) heavy.push(name);
  }
  expect(heavy).toEqual(['validate', 'sandbox']);
});

test('the commands name the licences of what they carry', () => {
  const file = 'dist/bin/THIRD-PARTY-LICENSES.txt';
  const licences = readFileSync(join(repositoryRoot, file), 'utf8');
  expect(licences.match(/^(?!---)\S+(?=\n\n(?:\(?(?:The )?MIT License|The MCP project|Copyright))/gm)).toEqual([
    '@modelcontextprotocol/core',
    '@modelcontextprotocol/server',
    'ajv',
    'ajv-formats',
    'commander',
    'content-type',
    'csv-parse',
    'fast-deep-equal',
    'fast-uri',
    'hono',
    'json-schema-traverse',
    'openapi-fetch',
    'zod',
  ]);
  expect(packed().files).toContain(file);
});

test('nothing in it looks like a secret or names this machine', () => {
  const traces = [/BEGIN [A-Z ]*PRIVATE KEY/, /_authToken/, /\b(?:npm|ghp|gho)_\w{30,}/, /\bAKIA[0-9A-Z]{16}\b/];
  const leaks = packed().files.filter((path) => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    return text.includes(`${repositoryRoot}/`) || traces.some((trace) => trace.test(text));
  });
  expect(leaks).toEqual([]);
});
