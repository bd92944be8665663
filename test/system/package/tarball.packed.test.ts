import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, inject, it, test } from 'vitest';
import { listPackages, type Package } from '../../../scripts/build/packages.ts';
import { scenarioSchema } from '../../../scripts/build/scenario-schema.ts';
import type { Packed } from '../../../scripts/check/runtimes/package.ts';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { usePacked } from './installed.ts';

const packed = usePacked();

interface Manifest {
  exports: Record<string, string | Record<string, string | Record<'types' | 'default', string>>>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const packages = listPackages();

describe.each(packages.map((one) => [one.name, one] as const))('%s', (name, one) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(repositoryRoot, one.folder, 'package.json'), 'utf8'));
  const find = (): Packed => {
    const found = packed().find((other) => other.name === name);
    if (!found) throw new Error(`${name} was not packed`);
    return found;
  };

  it.runIf(one.entries.length > 0)('has no problem with types, for any module resolution and any entry', async () => {
    // In this process, which loads TypeScript once for all packages.
    const core = join(inject('tools'), '@arethetypeswrong', 'core', 'dist', 'index.js');
    const { checkPackage, createPackageFromTarballData } = await import(pathToFileURL(core).href);
    // Programs are not imported, and node10 does not know the paths of data.
    const excludeEntrypoints = ['./command', './openapi.json'];
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(find().tarball)));
    const { types, problems, entrypoints } = await checkPackage(tarball, { excludeEntrypoints });
    expect([types.kind, problems]).toEqual(['included', []]);
    const checked = one.entries.map(({ specifier }) => specifier.replace(name, '.'));
    expect(Object.keys(entrypoints)).toEqual(expect.arrayContaining(checked));
  });

  it('contains every target of exports and every command', () => {
    const files = find().files.map((path) => `./${path}`);
    const targets = targetsOf(manifest).filter((target) => !target.includes('*') && !target.endsWith('.ts'));
    expect([...targets, ...Object.values(one.commands).map((file) => `./${file}`)]).not.toEqual([]);
    expect(targets.filter((target) => !files.includes(target))).toEqual([]);
    expect(Object.values(one.commands).filter((file) => !files.includes(`./${file}`))).toEqual([]);
  });

  it('contains only files for users: bundles, programs, declarations, and pages', () => {
    const known = ['LICENSE', 'README.md', 'package.json'];
    const folders = [
      /^dist\/[\w-]+\.(?:js|cjs|d\.cts)$/,
      /^dist\/(?:bin|chunks)\/[\w.-]+$/,
      /^dist\/types\/[\w-]+\.d\.cts$/,
      /^dist\/types\/(?:generated|src)\/[\w/-]+\.d\.ts$/,
      /^dist\/docs\/[\w-]+\.(?:md|txt)$/,
      /^dist\/spec\/[\w-]+\.(?:yaml|md)$/,
      /^dist\/(?:scenario\.schema|openapi|operations)\.json$/,
      /^dist\/third-party-licenses\.txt$/,
      /^dist\/skills\/carillon\/SKILL\.md$/,
    ];
    const { files } = find();
    expect(files).toEqual(expect.arrayContaining(known));
    expect(files.filter((path) => !known.includes(path) && !folders.some((folder) => folder.test(path)))).toEqual([]);
  });

  it('depends only on packages that its bundles and programs import', async () => {
    const imported = await packagesOf(one);
    const given = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    // Only its types are used.
    const typesOnly = name === 'carillon' ? ['@tanstack/query-core'] : [];
    expect([...new Set([...imported, ...typesOnly])].sort()).toEqual(given.sort());
  });

  it('contains no secrets and no names of this machine', () => {
    const traces = [/BEGIN [A-Z ]*PRIVATE KEY/, /_authToken/, /\b(?:npm|ghp|gho)_\w{30,}/, /\bAKIA[0-9A-Z]{16}\b/];
    const leaks = find().files.filter((path) => {
      const text = readFileSync(join(repositoryRoot, one.folder, path), 'utf8');
      return text.includes(`${repositoryRoot}/`) || traces.some((trace) => trace.test(text));
    });
    expect(leaks).toEqual([]);
  });
});

function targetsOf({ exports }: Manifest): string[] {
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string'
      ? [target]
      : Object.values(target).flatMap((inner) => (typeof inner === 'string' ? [inner] : Object.values(inner))),
  );
}

/** The packages that the built files and their imports load. */
async function packagesOf({ folder, entries, programs }: Package, only?: string): Promise<string[]> {
  const dist = join(repositoryRoot, folder, 'dist');
  const names = only === undefined ? [...entries, ...programs].map(({ name }) => name) : [only];
  const { metafile } = await build({
    entryPoints: names.map((name) => join(dist, `${name}.js`)),
    outdir: dist,
    bundle: true,
    packages: 'external',
    // Files of the package itself, with all that they need.
    external: ['#*'],
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap(({ external, path }) => (external && !/^(?:node:|#)/.test(path) ? path : [])),
  );
  return imported.map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
}

test.each(['carillon', 'carillon-mock'])('the specs are in %s', (name) => {
  const files = packed().find((one) => one.name === name)?.files;
  expect(files).toEqual(expect.arrayContaining(specNames.map((spec) => `dist/spec/${spec}.yaml`)));
});

it('the mock has the licence of each package that it contains', () => {
  const text = readFileSync(join(repositoryRoot, 'src', 'mock', 'dist', 'third-party-licenses.txt'), 'utf8');
  const contained = readFileSync(join(repositoryRoot, 'src', 'mock', 'dist', 'prism.cjs'), 'utf8');
  const names = new Set(
    Array.from(contained.matchAll(/^\/\/ .*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm), ([, name = '']) => name),
  );
  expect(names.size).toBeGreaterThan(80);
  const listed = new Set(Array.from(text.matchAll(/^-{80}\n(\S+) \S+: /gm), ([, name = '']) => name));
  expect([...names].filter((name) => !listed.has(name))).toEqual([]);
  // The licence of Prism requires its text.
  expect(text).toMatch(/^@stoplight\/prism-http 5\.\S+: Apache-2\.0/m);
  expect(text).toContain('Apache License');
});

test('of the entries of the client, only validate loads zod', async () => {
  const [client] = packages;
  if (!client) return expect.unreachable();
  const heavy: string[] = [];
  for (const { name } of client.entries) if ((await packagesOf(client, name)).includes('zod')) heavy.push(name);
  expect(heavy).toEqual(['validate']);
});

it('the sandbox contains the JSON schema of scenarios that the built-in ones refer to', () => {
  const { files } = packed().find(({ name }) => name === 'carillon-sandbox') ?? expect.unreachable();
  expect(files).toContain('dist/scenario.schema.json');
  const read = (file: string) => JSON.parse(readFileSync(join(repositoryRoot, 'src', 'sandbox', file), 'utf8'));
  expect(read('dist/scenario.schema.json')).toEqual(scenarioSchema());
  expect(read('world/scenarios/empty.json').$schema).toBe('../../dist/scenario.schema.json');
});
