import { describe, expect, test } from 'vitest';
import type { PackedPackage } from '../../../scripts/release/packages/collect.ts';
import { comparePackages } from '../../../scripts/release/packages/compare.ts';
import { forEach, type Mutation, testMutations } from './mutations.ts';

type Packages = Record<string, PackedPackage>;

const entry = (name: string) => ({
  'carillon-source': `./${name}.ts`,
  import: { types: `./dist/types/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});
const filesOf = (name: string): string[] =>
  [`types/${name}.d.ts`, `${name}.js`, `${name}.d.cts`, `${name}.cjs`].map((file) => `dist/${file}`);

const base: Packages = {
  carillon: {
    manifest: {
      name: 'carillon',
      version: '1.2.0',
      type: 'module',
      exports: {
        '.': entry('index'),
        './crm': entry('crm'),
        './query': entry('query'),
        './spec/*': './dist/spec/*',
        './package.json': './package.json',
      },
      bin: {},
      engines: { node: '>=20.19' },
      dependencies: { 'openapi-fetch': '0.17.0' },
      peerDependencies: { zod: '^4.0.0', '@opentelemetry/api': '^1.7.0' },
      peerDependenciesMeta: { zod: { optional: true }, '@opentelemetry/api': { optional: true } },
    },
    files: [
      ...['LICENSE', 'README.md', 'package.json', 'dist/spec/crm.yaml', 'dist/spec/email.yaml', 'dist/docs/AGENTS.md'],
      ...['index', 'crm', 'query'].flatMap(filesOf),
      'dist/chunks/one-abc.js',
    ],
    packed: 380_000,
    unpacked: 1_600_000,
    problems: [],
  },
  'carillon-jobs': {
    manifest: {
      name: 'carillon-jobs',
      version: '1.2.0',
      type: 'module',
      exports: {
        '.': entry('index'),
        './command': { 'carillon-source': './bin/jobs.ts', default: './dist/bin/jobs.js' },
      },
      bin: { 'carillon-jobs': 'dist/bin/jobs.js' },
      engines: { node: '>=22.13' },
      dependencies: { pg: '8.23.1', 'pg-boss': '12.38.0' },
      peerDependencies: { carillon: '1.2.0' },
      peerDependenciesMeta: {},
    },
    files: ['LICENSE', 'README.md', 'package.json', 'dist/bin/jobs.js', ...filesOf('index')],
    packed: 190_000,
    unpacked: 700_000,
    problems: ['publint: known'],
  },
};

function carillon(data: Packages): PackedPackage {
  return data.carillon ?? expect.unreachable();
}

function jobs(data: Packages): PackedPackage {
  return data['carillon-jobs'] ?? expect.unreachable();
}

type Change = Mutation<Packages>;

const breaking: Change[] = [
  ...forEach(Object.keys(base), 'a package is removed', (data: Packages, name) => delete data[name]),
  ...forEach(['.', './crm', './query', './spec/*', './package.json'], 'an entry is removed', (data: Packages, path) => {
    delete carillon(data).manifest.exports[path];
  }),
  ...forEach(['import', 'require'], 'an entry loses a condition', (data: Packages, condition) => {
    const { [condition]: _, ...rest }: Record<string, unknown> = entry('crm');
    Object.assign(carillon(data).manifest.exports, { './crm': rest });
  }),
  [
    'an entry loses its types',
    (data) => {
      Object.assign(carillon(data).manifest.exports, {
        './crm': { import: './dist/crm.js', require: './dist/crm.cjs' },
      });
    },
  ],
  ...forEach(
    ['dist/crm.js', 'dist/crm.cjs', 'dist/types/crm.d.ts'],
    'a file of an entry is missing',
    (data: Packages, file) => {
      carillon(data).files = carillon(data).files.filter((other) => other !== file);
    },
  ),
  [
    'a new entry names a missing file',
    (data) => {
      carillon(data).manifest.exports['./more'] = './dist/more.js';
    },
  ],
  ...forEach(
    ['LICENSE', 'README.md', 'dist/spec/crm.yaml', 'dist/docs/AGENTS.md'],
    'a file that users read is missing',
    (data: Packages, file) => {
      carillon(data).files = carillon(data).files.filter((other) => other !== file);
    },
  ),
  ['the package is CommonJS now', (data) => delete carillon(data).manifest.type],
  ['a command is removed', (data) => (jobs(data).manifest.bin = {})],
  ['a command is renamed', (data) => (jobs(data).manifest.bin = { 'carillon-job': 'dist/bin/jobs.js' })],
  [
    'the file of a command is missing',
    (data) => {
      jobs(data).files = jobs(data).files.filter((file) => file !== 'dist/bin/jobs.js');
    },
  ],
  ...forEach(['>=22', '>=20.20', '^20.19', '24'], 'fewer versions of Node', (data: Packages, node) => {
    carillon(data).manifest.engines = { node };
  }),
  ['an engine that npm had not asked for', (data) => (carillon(data).manifest.engines.npm = '>=10')],
  ['a new peer', (data) => (carillon(data).manifest.peerDependencies.react = '^19.0.0')],
  ['a peer is no longer optional', (data) => (carillon(data).manifest.peerDependenciesMeta = {})],
  ...forEach(['^4.1.0', '^5.0.0', '4.0.0', '>=4.5'], 'fewer versions of a peer', (data: Packages, zod) => {
    carillon(data).manifest.peerDependencies.zod = zod;
  }),
  ['a peer is removed', (data) => delete carillon(data).manifest.peerDependencies.zod],
  [
    'a peer is a dependency now',
    (data) => {
      delete carillon(data).manifest.peerDependencies.zod;
      carillon(data).manifest.dependencies.zod = '4.6.7';
    },
  ],
  ...forEach(
    ['attw: FalseCJS ./crm node10', 'publint: wrong'],
    'a check has a new problem',
    (data: Packages, problem) => {
      jobs(data).problems.push(problem);
    },
  ),
];

const harmless: Change[] = [
  ['a new package', (data) => (data['carillon-new'] = carillon(structuredClone(base)))],
  ...forEach(['./more', './other'], 'a new entry', (data: Packages, path) => {
    carillon(data).manifest.exports[path] = './dist/crm.js';
  }),
  [
    'an entry has one file for both conditions',
    (data) => {
      carillon(data).manifest.exports['./package.json'] = { default: './package.json' };
    },
  ],
  [
    'the files of an entry have other names',
    (data) => {
      carillon(data).manifest.exports['./crm'] = entry('query');
    },
  ],
  [
    'the source of an entry has another name',
    (data) => {
      carillon(data).manifest.exports['./crm'] = { ...entry('crm'), 'carillon-source': './other.ts' };
    },
  ],
  ...forEach(['dist/chunks/two.js', 'dist/docs/new.md'], 'a new file', (data: Packages, file) =>
    carillon(data).files.push(file),
  ),
  ['other chunks', (data) => (carillon(data).files = carillon(data).files.filter((file) => !file.includes('chunks')))],
  ['a new command', (data) => (jobs(data).manifest.bin.more = 'dist/bin/jobs.js')],
  ...forEach(['>=20', '>=18', '*', '>=20.19 || ^18.20'], 'more versions of Node', (data: Packages, node) => {
    carillon(data).manifest.engines = { node };
  }),
  ['every engine', (data) => (carillon(data).manifest.engines = {})],
  ['a new dependency', (data) => (carillon(data).manifest.dependencies.hono = '4.13.19')],
  ['another version of a dependency', (data) => (jobs(data).manifest.dependencies.pg = '8.24.0')],
  ['a dependency is removed', (data) => delete jobs(data).manifest.dependencies.pg],
  [
    'a new optional peer',
    (data) => {
      carillon(data).manifest.peerDependencies.react = '^19.0.0';
      carillon(data).manifest.peerDependenciesMeta.react = { optional: true };
    },
  ],
  ...forEach(['^4.0.0 || ^5.0.0', '>=4', '>=3.25'], 'more versions of a peer', (data: Packages, zod) => {
    carillon(data).manifest.peerDependencies.zod = zod;
  }),
  [
    'a new version of all packages',
    (data) => {
      for (const { manifest } of Object.values(data)) manifest.version = '1.3.0';
      jobs(data).manifest.peerDependencies.carillon = '1.3.0';
    },
  ],
  ['a peer is optional now', (data) => (jobs(data).manifest.peerDependenciesMeta = { carillon: { optional: true } })],
  ...forEach([1.05, 1.5, 3], 'a larger package', (data: Packages, factor) => {
    carillon(data).packed = Math.round(carillon(data).packed * factor);
    carillon(data).unpacked = Math.round(carillon(data).unpacked * factor);
  }),
  ['a smaller package', (data) => (carillon(data).packed = 10)],
  ['a problem is solved', (data) => (jobs(data).problems = [])],
  ['a description', (data) => Object.assign(carillon(data).manifest, { description: 'another' })],
];

testMutations(base, comparePackages, { breaking, harmless });

describe('a line', () => {
  function lines(change: (data: Packages) => void) {
    const next = structuredClone(base);
    change(next);
    return comparePackages(base, next).map(({ impact, sentence }) => [impact, sentence]);
  }

  test('names additional packages that npm installs', () => {
    expect(lines((data) => (carillon(data).manifest.dependencies.hono = '4.13.19'))).toEqual([
      ['fix', 'carillon now depends on hono 4.13.19, which npm installs with it.'],
    ]);
  });

  test('names the required Node', () => {
    expect(lines((data) => (carillon(data).manifest.engines.node = '>=22'))).toEqual([
      ['break', 'carillon needs node >=22 (before: >=20.19). Update node first.'],
    ]);
  });

  test("reports a package's growth from 10 % on", () => {
    expect(lines((data) => (carillon(data).packed = 417_000))).toEqual([]);
    expect(lines((data) => (carillon(data).packed = 420_000))).toEqual([
      ['fix', 'carillon is 11 % larger to download: 420 kB (before: 380 kB).'],
    ]);
  });
});

test('an invalid version range stops the comparison', () => {
  const next = structuredClone(base);
  carillon(next).manifest.engines.node = 'new';
  expect(() => comparePackages(base, next)).toThrow('This is not a version range');
});
