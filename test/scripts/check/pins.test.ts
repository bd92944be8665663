import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { expect, test } from 'vitest';
import { formatPins, newestIn, readHolds, readOutdated } from '../../../scripts/check/pins.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

test('an exact or an installed version older than the latest is listed', () => {
  const use = { dependent: 'client', location: '/node_modules/x' };
  const output = JSON.stringify({
    commander: [
      { ...use, current: '14.0.3', wanted: '14.0.3', latest: '15.1.0' },
      { ...use, current: '14.0.3', wanted: '14.0.3', latest: '15.1.0' },
    ],
    zod: { ...use, current: '4.6.7', wanted: '4.7.0', latest: '4.7.0' },
    hono: { ...use, wanted: '4.13.19', latest: '4.13.19' },
    '@redocly/cli': { ...use, current: '2.77.0', wanted: '2.77.0', latest: '2.78.0' },
    'msw-2:msw@2.9.0': { dependent: 'tools', wanted: '2.9.0', latest: '3.0.5' },
  });
  expect(readOutdated(output)).toEqual([
    { name: 'commander', registryName: 'commander', version: '14.0.3', latest: '15.1.0' },
    { name: 'zod', registryName: 'zod', version: '4.6.7', latest: '4.7.0' },
    { name: '@redocly/cli', registryName: '@redocly/cli', version: '2.77.0', latest: '2.78.0' },
    { name: 'msw-2', registryName: 'msw', version: '2.9.0', latest: '3.0.5' },
  ]);
  expect(readOutdated('')).toEqual([]);
});

test('a missing network is reported in one sentence', () => {
  const output = JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request to https://… failed', detail: '…' } });
  expect(() => readOutdated(output)).toThrow('npm could not ask the registry (ENOTFOUND). Check the network.');
});

test('a held package can move to the newest version in its range', () => {
  expect(newestIn('<8', '["7.28.1","7.30.0","8.0.0","8.1.0-beta"]', '7.28.1')).toBe('7.30.0');
  expect(newestIn('<8', '["7.28.1","8.0.0"]', '7.28.1')).toBe('7.28.1');
  expect(newestIn('<8', '"7.28.1"', '7.28.1')).toBe('7.28.1');
});

test('a version in a range of renovate.json is held, and all others can move', () => {
  const holds = readHolds(
    JSON.stringify({
      packageRules: [
        { matchUpdateTypes: ['minor'], groupName: 'tools' },
        { matchDepNames: ['a', '@b/c'], allowedVersions: '<2', description: '2 needs Node 22' },
      ],
    }),
  );
  const pins = [
    {
      name: '@b/c',
      registryName: '@b/c',
      version: '1.0.0',
      newest: '1.4.0',
      latest: '2.0.0',
      folders: ['root', 'docs'],
    },
    { name: 'a', registryName: 'a', version: '1.0.0', newest: '1.0.0', latest: '2.0.0', folders: ['root'] },
    { name: 'd', registryName: 'd', version: '1.0.0', newest: '1.0.1', latest: '1.0.1', folders: ['docs'] },
  ];
  expect(formatPins(pins, holds).split('\n')).toEqual([
    'Can move: 2',
    '  @b/c  1.0.0 → 1.4.0  (root, docs)',
    '  d     1.0.0 → 1.0.1  (docs)',
    'Held (renovate.json): 2',
    '  @b/c  1.0.0 → 2.0.0  (root, docs): 2 needs Node 22',
    '  a     1.0.0 → 2.0.0  (root): 2 needs Node 22',
  ]);
});

test('a range without a reason is refused', () => {
  const rule = { matchDepNames: ['a'], allowedVersions: '<2' };
  expect(() => readHolds(JSON.stringify({ packageRules: [rule] }))).toThrow();
});

test('renovate.json holds only dependencies of this repository, in ranges that contain their versions', () => {
  const manifests = globSync('{,docs/,{scripts,src}/**/}package.json', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((file) => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')));
  const pinned = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.entries<string>({ ...dependencies, ...devDependencies }),
  );
  const holds = readHolds(readFileSync(join(repositoryRoot, 'renovate.json'), 'utf8'));
  expect(holds.size).toBeGreaterThan(0);
  const wrong = [...holds].filter(([name, { range }]) => {
    const versions = pinned
      .filter(([dependency]) => dependency === name)
      .map(([, version]) => minVersion(version.replace(/^npm:.*@/, '')));
    return versions.length === 0 || !versions.every((version) => version && satisfies(version, range));
  });
  expect(wrong).toEqual([]);
});
