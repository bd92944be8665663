import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { createVitest } from 'vitest/node';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { thorough } from '../../vitest.config.ts';

const files = globSync('test/**/*.test.ts', { cwd: repositoryRoot }).map((file) => file.replaceAll('\\', '/'));
const isSystem = (file: string): boolean => file.endsWith('.system.test.ts');

/** Test files that import modules whose names match. */
function importersOf(modules: RegExp): string[] {
  return files.filter((file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    return [...text.matchAll(/ from '([^']+)'/g)].some(([, name = '']) => modules.test(name));
  });
}

/**
 * Folders with tests of several modules, described in docs/checklists.md. All other folders mirror `src/`, `scripts/` and
 * `docs/src/`.
 */
const topics = [
  'test/client/contract',
  'test/client/core/properties',
  'test/client/faults',
  'test/client/outcomes',
  'test/client/secrets',
  'test/client/tokens',
  'test/client/tracing',
  'test/client/types',
  'test/jobs/events',
  'test/jobs/restores',
  'test/releases',
  'test/sandbox/fields',
  'test/sandbox/fairness',
  'test/sandbox/hostile',
  'test/sandbox/model',
  'test/scripts/lint/closed',
  'test/structure',
  'test/system',
];

test('a test is in the folder of its code, or in one for tests of several modules', () => {
  expect(files.length).toBeGreaterThan(300);
  const folders = [...new Set(files.map(dirname))].filter(
    (folder) => !topics.some((topic) => folder === topic || folder.startsWith(`${topic}/`)),
  );
  const mirrors = (folder: string): boolean => {
    const path = posix.relative('test', folder);
    return [`src/${path}`, path, path.replace(/^docs\//, 'docs/src/')].some((place) =>
      existsSync(join(repositoryRoot, place)),
    );
  };
  expect(folders.filter((folder) => !mirrors(folder))).toEqual([]);
  expect(topics.filter((topic) => !files.some((file) => file.startsWith(`${topic}/`)))).toEqual([]);
});

test('docs/checklists.md describes each folder with tests of several modules', () => {
  const text = readFileSync(join(repositoryRoot, 'docs/checklists.md'), 'utf8');
  expect(topics.filter((topic) => !text.includes(`| \`${topic}/\` |`))).toEqual([]);
});

test('fast tests start no process, no browser and no compiler', () => {
  const importers = importersOf(/^(?:node:child_process|playwright-core|typescript|esbuild)$/);
  expect(importers.length).toBeGreaterThan(10);
  expect(importers.filter((file) => !isSystem(file))).toEqual([]);
});

test('fast tests start no Chromium and no Postgres', () => {
  const importers = importersOf(/\/(?:chromium|start-postgres)\.ts$/);
  expect(importers.length).toBeGreaterThan(5);
  expect(importers.filter((file) => !isSystem(file))).toEqual([]);
});

test('each test file belongs to one project', { timeout: 60_000 }, async () => {
  const vitest = await createVitest('test', { watch: false, config: join(repositoryRoot, 'vitest.config.ts') });
  const found = (await vitest.globTestSpecifications()).map(({ moduleId }) => posix.relative(repositoryRoot, moduleId));
  await vitest.close();
  expect(found.toSorted()).toEqual(files.toSorted());
});

test('npm test leaves out only files that vitest.config.ts lists as thorough', { timeout: 60_000 }, async () => {
  const options = { watch: false, config: join(repositoryRoot, 'vitest.config.ts'), mode: 'change' };
  const vitest = await createVitest('test', options);
  const found = (await vitest.globTestSpecifications()).map(({ moduleId }) => posix.relative(repositoryRoot, moduleId));
  await vitest.close();
  const left = files.filter((file) => !found.includes(file));
  for (const pattern of thorough)
    expect([pattern, left.some((file) => posix.matchesGlob(file, pattern))]).toEqual([pattern, true]);
  expect(left.filter((file) => !thorough.some((pattern) => posix.matchesGlob(file, pattern)))).toEqual([]);
});

test('CI runs all projects, and reads every page of the docs', () => {
  expect(readFileSync(join(repositoryRoot, '.ci/run'), 'utf8').split('\n')).toContain('PAGES=all npm run -s test:all');
  const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  expect(scripts['test:all']).toBe(scripts.test.replaceAll(/ --(?:project|mode) \w+/g, ''));
});
