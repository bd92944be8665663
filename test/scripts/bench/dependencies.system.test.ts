import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countDependencies } from '../../../scripts/check/budgets/dependencies.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const lock = {
  packages: {
    '': {
      dependencies: { a: '1' },
      devDependencies: { tool: '1' },
      peerDependencies: { z: '4' },
      peerDependenciesMeta: { z: { optional: true } },
    },
    'node_modules/a': { dependencies: { b: '1', c: '1' }, peerDependencies: { d: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1', e: '1' } },
    'node_modules/b': { dependencies: { tool: '1' } },
    'node_modules/c': { dependencies: { a: '1' } },
    'node_modules/d': {},
    'node_modules/e': {},
    'node_modules/tool': {},
    'node_modules/z': {},
  },
};

test('what is installed with a package counts once: dependencies, theirs, and the peers that they need', () => {
  expect(countDependencies(lock, '')).toBe(5);
  expect(countDependencies(lock, 'node_modules/c')).toBe(4);
  expect(countDependencies(lock, 'node_modules/e')).toBe(0);
});

test('a dependency that the lock does not contain is reported, not counted', () => {
  expect(() => countDependencies({ packages: { '': { dependencies: { lost: '1' } } } }, '')).toThrow(
    'The lock does not have lost, which the project needs',
  );
});

test('the lock of what is compared names no address of a registry', () => {
  const text = readFileSync(join(repositoryRoot, 'scripts', 'bench', 'peers', 'package-lock.json'), 'utf8');
  expect(text).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});
