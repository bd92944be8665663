import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { expect, onTestFinished, test } from 'vitest';
import { buildFiles, buildFolders, buildKey } from '../../../scripts/build/key.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

test('the key has every module that the build loads', () => {
  const inFolders = (file: string): boolean => buildFolders.some((folder) => file.startsWith(`${folder}/`));
  const modules = new Set(['scripts/build/main.ts']);
  // The loop also visits modules that are added to the set meanwhile.
  for (const file of modules) {
    const text = readFileSync(join(repositoryRoot, file), 'utf8').replaceAll(/^import type .*/gm, '');
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const imported = posix.join(posix.dirname(file), fileName);
      if (fileName.startsWith('.') && imported.startsWith('scripts/')) modules.add(imported);
    }
  }
  expect(modules).toContain('scripts/spec/model.ts');
  expect([...modules].filter((file) => !inFolders(file) && !buildFiles.includes(file))).toEqual([]);
});

function project() {
  const root = mkdtempSync(join(tmpdir(), 'carillon-key-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const file of buildFiles) write(file, 'one');
  return { root, write };
}

test.each([
  'src/client/crm.ts',
  'src/cli/package.json',
  'generated/rules.ts',
  'scripts/build/main.ts',
  'spec/crm.yaml',
])('a change of %s changes the key', (file) => {
  const { root, write } = project();
  const before = buildKey(root);
  write(file, 'two');
  expect(buildKey(root)).not.toBe(before);
});

test.each([
  ['a guide', 'docs/guides/deals.md'],
  ['the README of a package', 'src/client/README.md'],
  ['a page in the sources', 'src/client/AGENTS.md'],
  ['another script', 'scripts/docs/starlight/build-site.ts'],
  ['what the build writes', 'src/client/dist/index.js'],
])('a change of %s does not change the key', (_, file) => {
  const { root, write } = project();
  const before = buildKey(root);
  write(file, 'two');
  expect(buildKey(root)).toBe(before);
});
