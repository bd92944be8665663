import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import config from '../../vitest.config.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const commands = [...Object.values(scripts), read('.ci/run'), read('.ci/nightly')].join('\n');
const files = globSync('test/**/*.{test,spec}.{ts,tsx}', { cwd: repositoryRoot, exclude: ['**/projects/**'] });
const { projects = [] } = config({ command: 'serve', mode: 'test' }).test ?? {};
const names = projects.map((project) => (typeof project === 'object' && 'test' in project ? project.test?.name : ''));

test('package.json and .ci name only tests that exist', () => {
  const named = [...commands.matchAll(/(?<=\s)test\/[\w./-]+/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
});

test('the last part of a name is a kind of test, which a command runs', () => {
  const kinds = new Set(
    files.map((file) => {
      const [, kind = 'fast', ...more] = basename(file)
        .replace(/\.test\.ts$/, '')
        .split('.');
      return [kind, ...more].join('.');
    }),
  );
  const run = new Set([...commands.matchAll(/--project (\w+)/g)].map(([, name]) => name));
  expect([...kinds].sort()).toEqual([...names].sort());
  expect([...run].sort()).toEqual([...names].sort());
});
