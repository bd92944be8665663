import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runBench } from '../../scripts/bench/command.ts';
import { runBuild } from '../../scripts/build/command.ts';
import { runLint } from '../../scripts/check/lint.ts';
import { runMutation } from '../../scripts/check/mutation.ts';
import { runRuntimes } from '../../scripts/check/runtimes.ts';
import { runDocs } from '../../scripts/docs/command.ts';
import { runGenerate } from '../../scripts/generate/command.ts';
import { runStart } from '../../scripts/serve/start.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { runMcp } from '../../src/cli/mcp/command.ts';
import { runJobs } from '../../src/jobs/command/command.ts';
import { subcommands } from '../../src/jobs/command/subcommands.ts';
import { runMock } from '../../src/mock/command/command.ts';
import { runSandbox } from '../../src/sandbox/command/command.ts';

const mock = (line: string) => (args: string[]) => runMock(line, args, async () => []);
const sandbox = (line: string) => (args: string[]) => runSandbox(line, args);

/** Every command of the project, as a user types it. */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  'npm start --': runStart,
  'npm run generate --': runGenerate,
  'npm run mock --': mock('npm run mock --'),
  'npm run sandbox --': sandbox('npm run sandbox --'),
  'carillon-mock': mock('carillon-mock'),
  'carillon-mcp': (args) => runMcp('carillon-mcp', args),
  'carillon-sandbox': sandbox('carillon-sandbox'),
  'carillon-jobs': (args) => runJobs('carillon-jobs', args),
  'npm run docs --': runDocs,
  'npm run build --': runBuild,
  'npm run bench --': runBench,
  'node scripts/check/main.ts lint': runLint,
  'npm run runtimes --': runRuntimes,
  'npm run test:mutation --': runMutation,
};

const printed: string[] = [];
const complained: string[] = [];
beforeEach(() => {
  for (const lines of [printed, complained]) lines.length = 0;
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, 'error').mockImplementation((text: string) => void complained.push(text));
});
afterEach(() => vi.restoreAllMocks());

describe.each(Object.entries(commands))('%s', (line, run) => {
  it.each(['--help', '-h'])('prints its usage with %s, and does no more', async (flag) => {
    expect(await run([flag])).toBe(0);
    expect(complained).toEqual([]);
    expect(printed.join('\n')).toContain(`Usage: ${line} [options]`);
    expect(printed.join('\n')).toContain('--help');
  });

  it('reports an invalid option in one line, and exits with 2', async () => {
    expect(await run(['--no-such-option'])).toBe(2);
    expect(printed).toEqual([]);
    // npm itself prints the script's name.
    const name = line.startsWith('npm ') ? '' : `${line}: `;
    expect(complained).toEqual([`${name}Unknown option '--no-such-option'. ${line} --help shows the usage.`]);
  });
});

it.each([
  ['carillon-sandbox', [[]]],
  ['carillon-mock', [[]]],
  ['carillon-mcp', [[]]],
  ['carillon-jobs', [[], ...Object.keys(subcommands).map((name) => [name])]],
])(
  'the help of %s is that of its golden file (npx vitest run test/scripts/usage --update writes it)',
  async (name, words) => {
    for (const part of words) expect(await commands[name]?.([...part, '--help'])).toBe(0);
    await expect(`${printed.join('\n\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'golden', `${name}.txt`));
  },
);

it.each(['carillon-sandbox', 'carillon-mock', 'carillon-mcp', 'carillon-jobs'])(
  '%s --version prints the version',
  async (name) => {
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
    expect(await commands[name]?.(['--version'])).toBe(0);
    expect([printed, complained]).toEqual([[version], []]);
  },
);
