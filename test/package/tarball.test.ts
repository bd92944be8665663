import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { expect, test } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { usePacked } from './installed.ts';

const packed = usePacked();

interface Manifest {
  exports: Record<string, string | Record<string, string>>;
}
const manifest: Manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));

/** Modules below a folder of the repository, as the build names what it makes of them. */
function modules(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `dist/${folder}/${path.replace(/\.ts$/, '').replaceAll('\\', '/')}`);
}

test('publint has nothing to say, not even a suggestion', async () => {
  const { buffer } = new Uint8Array(readFileSync(packed().tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'suggestion', strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

// The one rule that is off says that require() of a module fails, which it does not on Node 20.19 and later.
test('are-the-types-wrong finds nothing, for any module resolution and any entry', async () => {
  const attw = join(repositoryRoot, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const args = [attw, '--ignore-rules', 'cjs-resolves-to-esm', '--format', 'ascii', '--no-color', packed().tarball];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 }).catch((error) => error);
  expect(stdout).toContain('No problems found');
});

test('every target of exports is in it', () => {
  const targets = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  const patterns = targets.filter((target) => target.includes('*'));
  expect(patterns).toEqual(['./spec/*']);
  const files = packed().files.map((path) => `./${path}`);
  expect(targets.filter((target) => !target.includes('*') && !files.includes(target))).toEqual([]);
  for (const name of specNames) expect(files).toContain(`./spec/${name}.yaml`);
});

test('only what users need is in it: the built modules, their declarations, the specs and four pages', () => {
  const known = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
    ...specNames.map((name) => `spec/${name}.yaml`),
    ...[...modules('src'), ...modules('generated')].flatMap((module) => [`${module}.js`, `${module}.d.ts`]),
  ];
  expect(packed().files.filter((path) => !known.includes(path))).toEqual([]);
});

test('every module of the client is in it', () => {
  const { files } = packed();
  expect(modules('src').filter((module) => !files.includes(`${module}.js`))).toEqual([]);
});

test('nothing in it looks like a secret or names this machine', () => {
  const traces = [/BEGIN [A-Z ]*PRIVATE KEY/, /_authToken/, /\b(?:npm|ghp|gho)_\w{30,}/, /\bAKIA[0-9A-Z]{16}\b/];
  const leaks = packed().files.filter((path) => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    return text.includes(`${repositoryRoot}/`) || traces.some((trace) => trace.test(text));
  });
  expect(leaks).toEqual([]);
});
