import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeVersion } from '../../scripts/version.ts';

// changesets and npm are programs: only they show that the version of a peer and the lock follow.
let folder: string;
const write = (file: string, value: unknown): void => writeFileSync(join(folder, file), JSON.stringify(value));
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-version-'));
  for (const name of ['carillon', 'carillon-jobs', '.changeset']) mkdirSync(join(folder, name));
  write('package.json', { name: 'root', private: true, version: '1.0.0', workspaces: ['carillon', 'carillon-jobs'] });
  write('package-lock.json', { lockfileVersion: 3 });
  write('carillon/package.json', { name: 'carillon', version: '1.0.0' });
  const peerDependencies = { carillon: '1.0.0' };
  write('carillon-jobs/package.json', { name: 'carillon-jobs', version: '1.0.0', peerDependencies });
  write('.changeset/config.json', { changelog: false, fixed: [['carillon', 'carillon-jobs']], baseBranch: 'main' });
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.0\n\nFirst.\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['patch', '1.0.1'],
  ['minor', '1.1.0'],
  ['major', '2.0.0'],
])('a %s change becomes version %s of every package, of the lock and of the changelog', async (step, version) => {
  writeFileSync(join(folder, '.changeset/one.md'), '---\n"carillon": patch\n---\n\n- One.\n');
  writeFileSync(join(folder, '.changeset/two.md'), `---\n"carillon": ${step}\n---\n\n- Two.\n`);
  expect(await makeVersion(folder)).toBe(version);
  for (const name of ['.', 'carillon', 'carillon-jobs'])
    expect(JSON.parse(read(join(name, 'package.json'))).version).toBe(version);
  expect(JSON.parse(read('carillon-jobs/package.json')).peerDependencies).toEqual({ carillon: version });
  expect(JSON.parse(read('package-lock.json')).packages.carillon.version).toBe(version);
  expect(read('CHANGELOG.md')).toBe(`# Changelog\n\n## ${version}\n\n- One.\n- Two.\n\n## 1.0.0\n\nFirst.\n`);
  expect(readdirSync(join(folder, '.changeset'))).toEqual(['config.json']);
});

it('without changes, nothing is written', async () => {
  await expect(makeVersion(folder)).rejects.toThrow('there is no change in .changeset/');
  expect(read('CHANGELOG.md')).toContain('## 1.0.0\n\nFirst.');
});
