import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const app = join(repositoryRoot, 'test', 'system', 'package', 'projects', 'nextjs');
const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'nextjs.md'), 'utf8');

/** File → its content in the guide. A block marked with a path in `app/` is a file of the Next.js app. */
const shown = new Map(
  [...guide.matchAll(/^```tsx? (app\/\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
);
const files = globSync('app/**/*.{ts,tsx}', { cwd: app }).map((file) => file.replaceAll('\\', '/'));

test('the guide on Next.js shows every file of the Next.js app', () => {
  expect(files.length).toBeGreaterThan(5);
  expect([...shown.keys()].sort()).toEqual(files.sort());
});

test.each(files)('the guide shows %s as in the app', (file) => {
  expect(shown.get(file)).toBe(readFileSync(join(app, file), 'utf8'));
});

test('the lockfile of the Next.js app contains no registry address, and has the compiler for every platform', () => {
  const text = readFileSync(join(app, 'package-lock.json'), 'utf8');
  expect(text).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
  const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(text);
  const compilers = Object.keys(packages['node_modules/next']?.optionalDependencies ?? {}).filter((name) =>
    name.startsWith('@next/swc-'),
  );
  expect(compilers).toContain('@next/swc-linux-x64-gnu');
  expect(compilers.filter((name) => !packages[`node_modules/${name}`])).toEqual([]);
});
