import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { type Import, importsIn, listImports } from './imports.ts';

const imports = listImports();
const packages = listPackages().map(({ folder }) => folder);
const page = readFileSync(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8');

/** The part of the project that a file belongs to, as the diagrams name it: a package, or what several share. */
function partOf(file: string): string {
  return /^(src\/\w+|generated|test)\//.exec(file)?.[1] ?? 'scripts';
}

/** The program or the shared folder of scripts/ that a file belongs to. */
function scriptOf(file: string): string {
  return /^scripts\/([\w-]+)/.exec(file)?.[1] ?? '';
}

function arrows(found: Import[], groupOf: (file: string) => string): string[] {
  const pairs = found.map(({ from, to }) => [groupOf(from), groupOf(to)]);
  return [...new Set(pairs.filter(([from, to]) => from !== to).map((pair) => pair.join(' --> ')))].sort();
}

/** The arrows of a diagram of the page, by its heading. */
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

test('the diagram of the parts draws every import between them, and no other', () => {
  const shipped = imports.filter(({ from }) => partOf(from) !== 'test');
  expectDrawn('The parts', arrows(shipped, partOf));
});

test('the diagram of the scripts draws every import between them, and no other', () => {
  expectDrawn('The scripts', arrows(inScripts, scriptOf));
});

const programs = ['bench', 'build', 'check', 'docs', 'generate', 'serve'];
const sharedFolders = ['command-line', 'lint', 'samples', 'spec'];

test('scripts/ contains six programs and what they share', () => {
  expect(readdirSync(join(repositoryRoot, 'scripts')).sort()).toEqual([...programs, ...sharedFolders].sort());
  expect(inScripts.filter(({ from, to }) => sharedFolders.includes(scriptOf(from)) && to.endsWith('/main.ts'))).toEqual(
    [],
  );
});

test.each(programs)('scripts/%s has one entry, whose first comment says what goes in and what comes out', (program) => {
  const text = readFileSync(join(repositoryRoot, 'scripts', program, 'main.ts'), 'utf8');
  expect(text).toMatch(/^\/\*\*\n \* `npm .*?\n \*\n \* In: .*?\n \* Out: .*?\n \*\/\n/s);
  const others = Object.values(commands).filter(
    (command) => command.includes(`scripts/${program}/`) && !command.includes('/main.ts'),
  );
  // It installs what the programs need, so it cannot be one of them.
  expect(others).toEqual(program === 'serve' ? ['node scripts/serve/install.mjs'] : []);
});

test.each<[part: string, allowed: string[]]>([
  ['src/shared', []],
  ['generated', ['src/client']],
  ['src/client', ['generated', 'src/shared']],
  ['src/sandbox', ['generated', 'src/shared']],
  ['src/jobs', ['generated', 'src/client', 'src/shared']],
  ['src/cli', ['generated', 'src/client', 'src/sandbox', 'src/shared']],
])('%s imports only %j', (part, allowed) => {
  const found = arrows(imports, partOf).filter((arrow) => arrow.startsWith(`${part} --> `));
  expect(allowed.map((to) => `${part} --> ${to}`)).toEqual(expect.arrayContaining(found));
});

test('a package imports another one by its name, and only what it exports', () => {
  const across = imports.filter(({ from, to }) => {
    const [one, other] = [partOf(from), partOf(to)];
    return one !== other && packages.includes(one) && packages.includes(other);
  });
  expect(across.length).toBeGreaterThan(30);
  expect(across.filter(({ byName }) => !byName)).toEqual([]);
});

test('a package does not import itself by its name, and generated code imports only types of the client', () => {
  expect(imports.filter(({ from, to, byName }) => byName && partOf(from) === partOf(to))).toEqual([]);
  expect([...new Set(imports.filter(({ from }) => partOf(from) === 'generated').map(({ to }) => to))]).toEqual(
    expect.arrayContaining([
      'src/client/core/method.ts',
      'src/client/core/options.ts',
      'src/client/query/factories.ts',
    ]),
  );
});

test('nothing but tests imports scripts, and nothing imports a test', () => {
  const importers = imports.filter(({ to }) => partOf(to) === 'scripts').map(({ from }) => partOf(from));
  expect([...new Set(importers)].sort()).toEqual(['scripts', 'test']);
  expect(imports.filter(({ to }) => to.endsWith('.test.ts'))).toEqual([]);
});

/** Shared before this rule, and still in the folder of their tests. */
const sharedInPlace = ['test/sandbox/support.ts', 'test/client/tokens/redis-server.ts', 'test/jobs/start-postgres.ts'];

test('folders of tests share helpers in test/support/, and import nothing of each other', () => {
  const folderOf = (file: string): string => /^test\/([\w-]+)\//.exec(file)?.[1] ?? '';
  const whole = new Set(['', 'support', 'types']);
  const across = imports.filter(({ from, to }) => {
    if (!from.startsWith('test/') || !to.startsWith('test/') || sharedInPlace.includes(to)) return false;
    return folderOf(from) !== folderOf(to) && !whole.has(folderOf(to)) && !whole.has(folderOf(from));
  });
  expect(across).toEqual([]);
});

test('imports are found in every form', () => {
  const text =
    "import a from './a.ts';\nimport {\n  b,\n} from '../b.ts';\nexport * from './c.ts';\nawait import('./d.ts');\n";
  expect(importsIn('src/x/y.ts', text).map(({ to }) => to)).toEqual([
    'src/x/a.ts',
    'src/b.ts',
    'src/x/c.ts',
    'src/x/d.ts',
  ]);
});
