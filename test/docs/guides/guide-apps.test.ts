import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** Apps in test/system/package/projects/, with the files that their guide of the same name shows, and a package with a part for each platform. */
const apps = [
  { name: 'nextjs', shown: 'app/**/*.{ts,tsx}', compiler: 'next', prefix: '@next/swc-' },
  { name: 'storybook', shown: '{src,.storybook}/**/*.{ts,tsx}', compiler: 'rolldown', prefix: '@rolldown/binding-' },
];

describe.each(apps)('the guide $name', ({ name, shown: pattern, compiler, prefix }) => {
  const app = join(repositoryRoot, 'test', 'system', 'package', 'projects', name);
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', `${name}.md`), 'utf8');
  /** File → its content in the guide. A block marked with a path is a file of the app. */
  const shown = new Map(
    [...guide.matchAll(/^```tsx? (\S+\/\S+)\n(.*?)^```$/gms)].map(([, file = '', code = '']) => [file, code]),
  );
  const files = globSync(pattern, { cwd: app }).map((file) => file.replaceAll('\\', '/'));

  test('shows every file of the app', () => {
    expect(files.length).toBeGreaterThan(5);
    expect([...shown.keys()].sort()).toEqual(files.sort());
  });

  test.each(files)('shows %s as in the app', (file) => {
    expect(shown.get(file)).toBe(readFileSync(join(app, file), 'utf8'));
  });

  test('has a lockfile without registry addresses, and with the compiler for every platform', () => {
    const text = readFileSync(join(app, 'package-lock.json'), 'utf8');
    expect(text).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
    const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(text);
    const compilers = Object.keys(packages[`node_modules/${compiler}`]?.optionalDependencies ?? {}).filter((part) =>
      part.startsWith(prefix),
    );
    expect(compilers).toContain(`${prefix}linux-x64-gnu`);
    expect(compilers.filter((part) => !packages[`node_modules/${part}`])).toEqual([]);
  });
});
