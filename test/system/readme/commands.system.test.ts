import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listPackages } from '../../../scripts/build/packages.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { type McpFlags, mcpCommand, readMcpOptions } from '../../../src/cli/mcp/options.ts';
import { parseJobs } from '../../../src/jobs/command/command.ts';
import { readSandboxOptions, type SandboxFlags, sandboxCommand } from '../../../src/sandbox/command/options.ts';
import { parseCommand } from '../../../src/shared/command-line.ts';
import { packagePages, pages } from '../../support/snippets.ts';

const manifest = z
  .object({
    version: z.string(),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
/** Packages that a reader can install: ours, and those that this repository is tested with. */
const tested = [
  'package.json',
  ...globSync('{scripts/check/tools,test/system/package/projects/*}/package.json', { cwd: repositoryRoot }),
];
const testedNames = tested.flatMap((file) => {
  const { dependencies = {}, devDependencies = {} } = z
    .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
    .partial()
    .parse(JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')));
  return Object.keys({ ...dependencies, ...devDependencies });
});
const packages = listPackages();
const names = packages.map(({ name }) => name);
const known = new Set([...names, ...testedNames]);
const commands = packages.flatMap((one) => Object.keys(one.commands));
const tools = new Set(readdirSync(join(repositoryRoot, 'node_modules', '.bin')));
/** Parse the arguments of the package's commands. */
const parsers: Record<string, (line: string, args: string[]) => unknown> = {
  'carillon-jobs': parseJobs,
  'carillon-mcp': (line, args) => readMcpOptions(parseCommand<McpFlags>(mcpCommand(line), args)?.options ?? {}),
  'carillon-sandbox': (line, args) =>
    readSandboxOptions(parseCommand<SandboxFlags>(sandboxCommand(line), args)?.options ?? {}),
};
/** npm's own commands. */
const npmCommands = new Set(['ci', 'cit', 'create', 'diff', 'init', 'install', 'pack', 'pkg', 'start', 'test']);

const blocks = [...pages, ...packagePages, 'CONTRIBUTING.md', 'RELEASING.md'].flatMap((page) =>
  [...readFileSync(join(repositoryRoot, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, text = ''], index) => ({
      name: `${page}, shell block ${index + 1}`,
      page,
      text,
    }),
  ),
);

/** The words of each command, without comments. A word can have spaces in quotes. */
function commandsOf(text: string): string[][] {
  return text
    .split(/\n|&&/)
    .map((line) => line.replace(/(^|\s)#.*/, '').trim())
    .filter(Boolean)
    .map((line) => line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []);
}

test('there are shell blocks', () => {
  expect(blocks.length).toBeGreaterThan(8);
});

test('all blocks are valid in bash', () => {
  const input = blocks.map(({ name, text }) => `# ${name}\n${text}`).join('');
  // Only bash knows. It reads all blocks, but runs nothing, and shows the line of an error.
  execFileSync('bash', ['-n'], { input, stdio: ['pipe', 'pipe', 'pipe'], timeout: 10_000 });
});

test.for(blocks)('$name names only existing things', ({ page, text }) => {
  const programs = readFileSync(join(repositoryRoot, page), 'utf8');
  for (const [command, ...words] of commandsOf(text)) {
    const [first = '', second = ''] = words;
    if (command === 'npm' && first === 'run') expect(manifest.scripts, `npm run ${second}`).toHaveProperty([second]);
    else if (command === 'npm' && first === 'install') expectPackages(words.slice(1));
    else if (command === 'npm') expect(npmCommands, `npm ${first}`).toContain(first);
    else if (command === 'npx') expectTool(...splitNpx(words));
    // A reader writes the page's program into that file.
    else if (command === 'node') expect(programs, first).toContain(first.replace(/\.ts$/, ''));
  }
});

function expectPackages(words: string[]): void {
  // The files written by `npm run pack`.
  const packed = [...names, 'carillon*'].map((name) => `/${name}-${manifest.version}.tgz`);
  for (const word of words.filter((name) => !name.startsWith('-') && !packed.some((file) => name.endsWith(file))))
    expect(known, `npm install ${word}`).toContain(word.replace(/(?<=.)@\d+$/, ''));
}

/** The command that npx starts and its arguments. Checks the packages that npx installs for it. */
function splitNpx([first = '', second = '', ...rest]: string[]): [tool: string, args: string[]] {
  if (first === '-y') return splitNpx([second, ...rest]);
  if (first !== '-p') return [first, [second, ...rest].filter(Boolean)];
  expectPackages([second]);
  return splitNpx(rest);
}

function expectTool(tool: string, args: string[]): void {
  const own = commands.includes(tool);
  // npx also accepts the name of a package with one command.
  expect(own || tools.has(tool) || known.has(tool), `npx ${tool}`).toBe(true);
  if (own) expect(() => parsers[tool]?.(`npx ${tool}`, args), args.join(' ')).not.toThrow();
  if (tool === 'carillon-jobs') expect(parseJobs(tool, args).given, args.join(' ')).toBeDefined();
  for (const file of args.filter((arg) => arg.endsWith('.yaml')))
    expect(existsSync(join(repositoryRoot, file))).toBe(true);
}
