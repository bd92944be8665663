import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { linkModules, withReleases } from '../../../scripts/release/checkouts.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'carillon-modules-')));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  for (const file of ['package.json', ...globSync('src/*/package.json', { cwd: repositoryRoot })]) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    cpSync(join(repositoryRoot, file), join(folder, file));
  }
  await linkModules(folder);
});

test.each(listPackages().map(({ name, folder: path }) => [name, path] as const))(
  '%s of a copied revision is its own, not that of the working tree',
  (name, path) => {
    expect(realpathSync(join(folder, 'node_modules', name))).toBe(join(folder, path));
  },
);

it('has every installed package, including nested versions', () => {
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(
    readdirSync(join(repositoryRoot, 'node_modules')).sort(),
  );
  for (const nested of globSync('src/*/node_modules/*', { cwd: repositoryRoot })) {
    expect(realpathSync(join(folder, nested))).toBe(realpathSync(join(repositoryRoot, nested)));
  }
});

test('an unknown revision is refused in one sentence, and leaves no files', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('carillon-release-'));
  await expect(
    withReleases(
      'v99.0.0',
      () => undefined,
      async () => undefined,
    ),
  ).rejects.toThrow('git knows no revision v99.0.0. git tag --list names the releases.');
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith('carillon-release-'));
  expect(after.filter((name) => !before.includes(name))).toEqual([]);
});
