import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPackages, type Package } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { type Import, importsIn, listImports } from './imports.ts';

const imports = listImports();
const packages = listPackages();
const page = readFileSync(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8');

/** The part of the project that contains a file, as named in the diagrams: a package or a shared part. */
function partOf(file: string): string {
  return /^(src\/\w+|generated|test|docs)\//.exec(file)?.[1] ?? 'scripts';
}

/** Like `partOf`, but also distinguishes parts inside a package that have their own rules. */
function innerPartOf(file: string): string {
  const [, own] = /^(src\/(?:jobs|mock|sandbox)\/)(?:bin|command|page)\//.exec(file) ?? [];
  if (own) return `${own}command`;
  const inner = /^src\/(?:cli\/\w+|client\/(?:core|journal|query)|sandbox\/sqlite-store|shared\/server)(?=\/)/.exec(
    file,
  );
  return inner?.[0] ?? partOf(file);
}

/** The package that contains a file. */
function packageOf(file: string): Package | undefined {
  return packages.find(({ folder }) => file.startsWith(`${folder}/`));
}

/** The program or shared folder of scripts/ that contains a file. */
function scriptOf(file: string): string {
  return /^scripts\/([\w-]+)/.exec(file)?.[1] ?? '';
}

function arrows(found: Import[], groupOf: (file: string) => string): string[] {
  const pairs = found.map(({ from, to }) => [groupOf(from), groupOf(to)]);
  return [...new Set(pairs.filter(([from, to]) => from !== to).map((pair) => pair.join(' --> ')))].sort();
}

/** The arrows of a diagram in docs/architecture.md, found by its heading. */
function drawn(heading: string): string[] {
  const [, text = ''] = page.split(`## ${heading}\n`)[1]?.match(/```mermaid\n(.*?)```/s) ?? [];
  return [...text.matchAll(/^ +(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from} --> ${to}`).sort();
}

function expectDrawn(heading: string, actual: string[]): void {
  const lines = actual.map((arrow) => `  ${arrow}`).join('\n');
  expect(drawn(heading), `docs/architecture.md, "${heading}", should draw:\n${lines}\n`).toEqual(actual);
}

const inScripts = imports.filter(({ from, to }) => partOf(from) === 'scripts' && partOf(to) === 'scripts');

const { scripts: commands }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
);

test('the diagram of the parts shows exactly the imports between them', () => {
  const shipped = imports.filter(({ from }) => partOf(from) !== 'test');
  expectDrawn('The parts', arrows(shipped, partOf));
});

test('the diagram of the scripts shows exactly the imports between them', () => {
  expectDrawn('The scripts', arrows(inScripts, scriptOf));
});

const programs = ['bench', 'build', 'check', 'docs', 'generate', 'release', 'serve'];
const sharedFolders = ['command-line', 'lint', 'samples', 'spec'];

test('scripts/ contains seven programs, their shared code, and the script that starts them', () => {
  expect(readdirSync(join(repositoryRoot, 'scripts')).sort()).toEqual(
    [...programs, ...sharedFolders, 'run.mjs'].sort(),
  );
  expect(inScripts.filter(({ from, to }) => sharedFolders.includes(scriptOf(from)) && to.endsWith('/main.ts'))).toEqual(
    [],
  );
});

test.each(programs)('scripts/%s has one entry, whose first comment states inputs and outputs', (program) => {
  const text = readFileSync(join(repositoryRoot, 'scripts', program, 'main.ts'), 'utf8');
  expect(text).toMatch(/^\/\*\*\n \* `npm .*?\n \*\n \* In: .*?\n \* Out: .*?\n \*\/\n/s);
  const others = Object.values(commands).filter(
    (command) => command.includes(`scripts/${program}/`) && !command.includes('/main.ts'),
  );
  expect(others).toEqual([]);
});

test('every npm script reports missing packages and prints its usage with --help', () => {
  for (const command of Object.values(commands)) expect(command).toMatch(/^node scripts\/run\.mjs /);
});

/** Part → parts that it may import. A new folder of commands needs a row. */
const rules: [part: string, allowed: string[]][] = [
  ['src/shared', []],
  ['src/shared/server', ['src/shared']],
  ['src/client/core', ['src/shared']],
  ['generated', ['src/client/core', 'src/client/query']],
  ['src/client', ['generated', 'src/client/core', 'src/shared']],
  ['src/client/query', ['generated', 'src/client/core']],
  ['src/client/journal', ['src/client/core', 'src/shared']],
  ['src/sandbox', ['generated', 'src/shared']],
  ['src/mock', ['src/shared', 'src/shared/server']],
  ['src/mock/command', ['src/mock', 'src/shared', 'src/shared/server']],
  ['src/sandbox/sqlite-store', ['src/sandbox', 'src/shared']],
  ['src/sandbox/command', ['src/sandbox', 'src/sandbox/sqlite-store', 'src/shared', 'src/shared/server']],
  ['src/jobs', ['generated', 'src/client', 'src/client/journal', 'src/shared']],
  ['src/jobs/command', ['src/client', 'src/jobs', 'src/shared', 'src/shared/server']],
  ['src/cli/catalogue', ['generated', 'src/client', 'src/sandbox', 'src/shared']],
  ['src/cli/learn', ['generated', 'src/shared']],
  ['src/cli/command', ['src/cli/catalogue', 'src/cli/learn', 'src/client', 'src/client/journal', 'src/shared']],
  ['src/cli/mcp', ['src/cli/catalogue', 'src/client', 'src/sandbox', 'src/shared', 'src/shared/server']],
  ['src/cli/bin', ['src/cli/command', 'src/cli/mcp', 'src/shared']],
  // The programs of the pages.
  ['docs', ['src/client', 'src/sandbox', 'src/shared']],
];

test.each(rules)('%s imports only %j', (part, allowed) => {
  const found = arrows(imports, innerPartOf).filter((arrow) => arrow.startsWith(`${part} --> `));
  expect(allowed.map((to) => `${part} --> ${to}`)).toEqual(expect.arrayContaining(found));
});

test('every part of the packages has a rule', () => {
  const parts = new Set(
    imports.map(({ from }) => innerPartOf(from)).filter((part) => !/^(?:scripts|test)$/.test(part)),
  );
  expect(rules.map(([part]) => part).sort()).toEqual([...parts].sort());
});

test('generated imports types only', () => {
  expect(
    imports.filter(({ from, to, isType }) => partOf(from) === 'generated' && !isType && partOf(to) !== 'generated'),
  ).toEqual([]);
});

/** The arrows that are in a circle, or on a way between two circles. */
function circlesIn(all: readonly string[]): string[] {
  let left = all.map((arrow) => arrow.split(' --> '));
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const importing = new Set(left.map(([from]) => from));
    const imported = new Set(left.map(([, to]) => to));
    // A module that imports no other one is in no circle. Neither is one that no other one imports.
    left = left.filter(([from, to]) => importing.has(to) && imported.has(from));
  }
  return left.map((pair) => pair.join(' --> '));
}

test('the parts import each other without circles at run time', () => {
  const atRunTime = imports.filter(({ isType }) => !isType);
  expect(circlesIn(arrows(atRunTime, innerPartOf))).toEqual([]);
});

test('the modules of the packages import each other without circles, also of types', () => {
  const modules = arrows(
    imports.filter(({ from }) => /^(?:src|generated)\//.test(from)),
    (file) => file,
  );
  expect(modules.length).toBeGreaterThan(2_000);
  expect(circlesIn(modules)).toEqual([]);
});

test('a circle is found, without the modules before and after it', () => {
  expect(circlesIn(['a --> b', 'b --> c', 'c --> d', 'd --> b', 'd --> e'])).toEqual(['b --> c', 'c --> d', 'd --> b']);
});

const sources = packages.flatMap(({ folder }) =>
  globSync(`${folder}/**/*.ts`, { cwd: repositoryRoot, exclude: [`${folder}/dist`, `${folder}/node_modules`] }).map(
    (file) => ({
      file: file.replaceAll('\\', '/'),
      text: readFileSync(join(repositoryRoot, file), 'utf8'),
    }),
  ),
);
const shipped = imports.filter(({ from }) => packageOf(from));

test('a package imports only its own files, src/shared and generated by path', () => {
  const relative = shipped.filter(({ specifier }) => specifier.startsWith('.'));
  expect(relative.length).toBeGreaterThan(1_000);
  expect(
    relative.filter(({ from, to }) => packageOf(from) !== packageOf(to) && !/^(?:src\/shared|generated)\//.test(to)),
  ).toEqual([]);
});

test('a package imports another one by name, only its public modules, and declares it as a dependency', () => {
  const named = shipped.filter(({ specifier }) => !specifier.startsWith('.'));
  expect(named.length).toBeGreaterThan(20);
  for (const { from, to, specifier } of named) {
    const own = packageOf(from);
    const other = packageOf(to);
    expect([from, specifier, other !== own && own?.dependencies.includes(other?.name ?? '')]).toEqual([
      from,
      specifier,
      true,
    ]);
  }
  const unknown = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^(?:import|export)\b[^;'"]*?from '(carillon[^']*)'/gm)]
      .map(([, specifier = '']) => specifier)
      .filter((specifier) => !named.some((found) => found.from === file && found.specifier === specifier)),
  );
  expect(unknown).toEqual([]);
});

test('no package depends on one that comes after it', () => {
  for (const [index, { name, dependencies }] of packages.entries()) {
    const before = packages.slice(0, index).map((other) => other.name);
    const needed = dependencies.filter((dependency) => packages.some((other) => other.name === dependency));
    expect([name, before]).toEqual([name, expect.arrayContaining(needed)]);
  }
});

test('only tests import scripts, and no file imports a test', () => {
  const importers = imports.filter(({ to }) => partOf(to) === 'scripts').map(({ from }) => partOf(from));
  expect([...new Set(importers)].sort()).toEqual(['scripts', 'test']);
  expect(imports.filter(({ to }) => to.endsWith('.test.ts'))).toEqual([]);
});

/** Shared before this rule existed, and still in the folder of their tests. */
const sharedInPlace = ['test/sandbox/support.ts', 'test/client/tokens/redis-server.ts', 'test/jobs/start-postgres.ts'];

test('folders of tests share helpers in test/support/, and do not import from each other', () => {
  const folderOf = (file: string): string => /^test\/([\w-]+)\//.exec(file)?.[1] ?? '';
  const whole = new Set(['', 'support', 'types']);
  const across = imports.filter(({ from, to }) => {
    if (!from.startsWith('test/') || !to.startsWith('test/') || sharedInPlace.includes(to)) return false;
    return folderOf(from) !== folderOf(to) && !whole.has(folderOf(to)) && !whole.has(folderOf(from));
  });
  expect(across).toEqual([]);
});

test('imports are found in every form', () => {
  const text = [
    "import a from './a.ts';",
    "import {\n  b,\n} from '../b.ts';",
    "export type * from './c.ts';",
    "await import('./d.ts');",
    "import { createClient } from 'carillon';",
    "import { join } from 'node:path';",
  ].join('\n');
  expect(importsIn('src/x/y.ts', text).map(({ to, isType }) => (isType ? `type ${to}` : to))).toEqual([
    'src/x/a.ts',
    'src/b.ts',
    'type src/x/c.ts',
    'src/x/d.ts',
    'src/client/index.ts',
  ]);
});
