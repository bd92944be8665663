import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatPins, readOutdated, readReasons } from '../../../scripts/check/pins.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

test('an exact version older than the latest is a pin, but a range that permits the latest is not', () => {
  const use = { dependent: 'client', location: '/node_modules/x' };
  const output = JSON.stringify({
    commander: [
      { ...use, current: '14.0.3', wanted: '14.0.3', latest: '15.1.0' },
      { ...use, current: '14.0.3', wanted: '14.0.3', latest: '15.1.0' },
    ],
    zod: { ...use, current: '4.6.7', wanted: '4.7.0', latest: '4.7.0' },
    'msw-2:msw@2.9.0': { dependent: 'tools', wanted: '2.9.0', latest: '3.0.5' },
  });
  expect(readOutdated(output)).toEqual([
    { name: 'commander', version: '14.0.3', latest: '15.1.0' },
    { name: 'msw-2', version: '2.9.0', latest: '3.0.5' },
  ]);
  expect(readOutdated('')).toEqual([]);
});

test('a missing network is reported in one sentence', () => {
  const output = JSON.stringify({ error: { code: 'ENOTFOUND', summary: 'request to https://… failed', detail: '…' } });
  expect(() => readOutdated(output)).toThrow('npm could not ask the registry (ENOTFOUND). Check the network.');
});

test('a version with a reason is held, and all others can be updated', () => {
  const reasons = readReasons(
    '# A\n\n## Held versions\n\n| package | reason |\n|---|---|\n| `a`, `@b/c` | 2 needs Node 22 |\n',
  );
  const pins = [
    { name: '@b/c', version: '1.0.0', latest: '2.0.0', folders: ['root', 'docs'] },
    { name: 'd', version: '1.0.0', latest: '1.0.1', folders: ['docs'] },
  ];
  expect(formatPins(pins, reasons).split('\n')).toEqual([
    'Can move: 1',
    '  d     1.0.0 → 1.0.1  (docs)',
    expect.stringMatching(/^Held for a reason \(docs\/decisions\/.*\): 1$/),
    '  @b/c  1.0.0 → 2.0.0  (root, docs): 2 needs Node 22',
  ]);
});

test('the table of held versions names only dependencies of this repository', () => {
  const decision = readFileSync(join(repositoryRoot, 'docs/decisions/0005-development-dependencies.md'), 'utf8');
  const manifests = globSync('{,docs/,{scripts,src}/**/}package.json', {
    cwd: repositoryRoot,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((file) => JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')));
  const known = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  );
  const held = [...readReasons(decision).keys()];
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter((name) => !known.includes(name))).toEqual([]);
});
