import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { type Project, projectFiles, projects } from '../projects.ts';
import { longest } from '../support/sequencer.ts';

const files = globSync('test/**/*.test.ts', { cwd: repositoryRoot }).map((file) => file.replaceAll('\\', '/'));

function projectsOf(file: string): Project[] {
  return projects.filter((project) => {
    const { include, exclude } = projectFiles(project);
    const matches = (glob: string): boolean => matchesGlob(file, glob);
    return include.some(matches) && !exclude.some(matches);
  });
}

function filesOf(project: Project): string[] {
  return files.filter((file) => projectsOf(file).includes(project));
}

/** Files that a project's tests import modules from, by a pattern for the names of the modules. */
function importersOf(project: Project, modules: RegExp): string[] {
  return filesOf(project).filter((file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    return [...text.matchAll(/ from '([^']+)'/g)].some(([, name = '']) => modules.test(name));
  });
}

test('every test file belongs to exactly one project, and every project has some', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => projectsOf(file).length !== 1)).toEqual([]);
  for (const project of projects) expect(filesOf(project).length).toBeGreaterThan(0);
});

test('CI reads every page of the docs', () => {
  expect(readFileSync(join(repositoryRoot, '.ci/run'), 'utf8').split('\n')).toContain('PAGES=all npm cit');
});

test('every file that is started early exists', () => {
  expect(longest.filter((file) => !files.includes(file))).toEqual([]);
});

test.each([
  ['test/sandbox/crm/deals.test.ts', 'fast'],
  ['test/sandbox/framework/command.test.ts', 'system'],
  ['test/mock/command.test.ts', 'system'],
  ['test/mock/any.test.ts', 'tools'],
  ['test/docs/any.system.test.ts', 'system'],
  ['test/browser/any.tools.test.ts', 'tools'],
])('%s belongs to %s: a name says more than a folder', (file, project) => {
  expect(projectsOf(file)).toEqual([project]);
});

test('fast tests start no process, no browser and no compiler', () => {
  expect(importersOf('fast', /^(?:node:child_process|playwright-core|typescript|esbuild)$/)).toEqual([]);
});

test('what a run starts once is for tests of the system', () => {
  const shared = /\/support\/(?:once\/once|chromium)\.ts$/;
  expect([...importersOf('fast', shared), ...importersOf('tools', shared)]).toEqual([]);
  expect(importersOf('system', shared).length).toBeGreaterThan(5);
});
