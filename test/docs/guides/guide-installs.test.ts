import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const packages = listPackages();
const folder = join(repositoryRoot, 'docs', 'guides');
const names = [
  ...readdirSync(folder).map((name) => join('docs', 'guides', name)),
  ...packages.map((one) => join(one.folder, 'README.md')),
  'README.md',
  'src/client/AGENTS.md',
];
const guides = names.map((name) => ({ name, text: readFileSync(join(repositoryRoot, name), 'utf8') }));
/** All texts for people and agents, including comments and messages in the sources. */
const texts = globSync(
  [
    '*.md',
    '.github/**/*.md',
    'docs/**/*.md',
    'spec/**/*.{md,yaml}',
    'generated/*.txt',
    'src/**/*.{md,ts}',
    'scripts/**/*.ts',
  ],
  { cwd: repositoryRoot, exclude: (path) => /(?:^|[\\/])(?:dist|node_modules|docs[\\/]src)$/.test(path) },
).map((name) => ({ name, text: readFileSync(join(repositoryRoot, name), 'utf8') }));

/**
 * The packages that npx fetches and the command that it starts, from a command line or an agent's configuration: `["-y",
 * "-p", "carillon-cli", "carillon-mcp"]`.
 */
function npxCalls(text: string): { packages: string[]; command: string }[] {
  const words = text.replaceAll(/"(?:command|args)":|["'`[\](),\\]/g, ' ').split(/\s+/);
  return words.flatMap((word, index) => {
    if (word !== 'npx') return [];
    const fetched: string[] = [];
    let next = index + 1;
    for (; words[next]?.startsWith('-'); next += 1) {
      if (words[next] === '-p' || words[next] === '--package') fetched.push(words[++next] ?? '');
    }
    return [{ packages: fetched, command: (words[next] ?? '').replace(/[.:;]$/, '') }];
  });
}

it.each(guides)('$name installs the packages from files, because they are not published', ({ text }) => {
  expect(text).not.toMatch(/(?:npm (?:install|i)(?: --?[\w-]+)*|npx .*-p|"-p",) "?carillon[\w-]*(?=[\s"@])/);
});

it('npx fetches only packages of this project, and starts commands that they contain', () => {
  const calls = texts.flatMap(({ name, text }) =>
    npxCalls(text)
      .filter(({ command, packages: fetched }) => [command, ...fetched].some((word) => /^carillon\b/.test(word)))
      .map((call) => ({ name, ...call })),
  );
  expect(calls.length).toBeGreaterThan(20);
  const wrong = calls.filter(({ command, packages: fetched }) => {
    // Without -p, npx fetches the package with the command's name.
    const from = (fetched.length > 0 ? fetched : [command]).map((file) =>
      file.replace(/^.*\/(\S+)-\d+\.\d+\.\d+\.tgz$/, '$1'),
    );
    return !packages.some((one) => from.includes(one.name) && command in one.commands);
  });
  expect(wrong).toEqual([]);
});

it.each([
  ['npx carillon-mcp', [], 'carillon-mcp'],
  ['npx -y carillon search', [], 'carillon'],
  [
    '"command": "npx",\n"args": ["-y", "-p", "carillon-cli", "carillon-mcp", "--sandbox"]',
    ['carillon-cli'],
    'carillon-mcp',
  ],
  ['npx -p ./carillon-sandbox-0.1.0.tgz carillon-sandbox', ['./carillon-sandbox-0.1.0.tgz'], 'carillon-sandbox'],
])('%s is recognized', (text, fetched, command) => {
  expect(npxCalls(text)).toEqual([{ packages: fetched, command }]);
});

it('the guide on jobs installs the dependencies of its program, and declares it a module', () => {
  const text = guides.find(({ name }) => name.endsWith('jobs.md'))?.text ?? '';
  const [before = ''] = text.split("from 'carillon-jobs'");
  expect(before).toContain('npm pkg set type=module');
  expect(before).toMatch(/npm install \S+carillon-\S+\.tgz \S+carillon-jobs-\S+\.tgz/);
});
