import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-shells-'));
const command = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');
const shells = join(import.meta.dirname, 'shells');
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = {
  PATH: `${folder}:${PATH}`,
  NODE_COMPILE_CACHE,
  HOME: folder,
  TERM: 'dumb',
  HELPERS: join(shells, 'helpers.zsh'),
};

beforeAll(async () => {
  writeFileSync(join(folder, 'deal.json'), '{}');
  writeFileSync(join(folder, 'carillon'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Typed command line → expected suggestions. */
const cases = {
  'carillon crm pipel': ['pipelines'],
  'carillon crm contacts li': ['list', 'list-by-email', 'list-deals'],
  'carillon --sandbox crm contacts list --last': ['--last-name'],
  'carillon crm deals update 501 --status ': ['0', '1', '2', '3'],
};

const programs = {
  bash: { file: 'type-into-bash.bash', options: ['--norc'] },
  zsh: { file: 'type-into-zsh.zsh', options: ['-f'] },
  fish: { file: 'type-into-fish.fish', options: ['--no-config'] },
} as const;

for (const [shell, { file, options }] of Object.entries(programs)) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined;
  if (isMissing) console.warn(`Completion in ${shell} is not tested: install it with \`apt-get install ${shell}\``);

  it.skipIf(isMissing)(`${shell} completes words, flags and values, and files if nothing else fits`, async () => {
    const script = join(folder, `completion.${shell}`);
    writeFileSync(script, execFileSync(process.execPath, [command, 'completion', shell]));
    const typed = [...Object.keys(cases), 'carillon crm deals create --input dea'];
    // Only the shell itself completes.
    const child = spawn(shell, [...options, join(shells, file)], { cwd: folder, env: { ...env, SCRIPT: script } });
    child.stdin.end(typed.map((line) => `${line}\n`).join(''));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const offered = shell === 'zsh' ? readZsh(output) : output.trimEnd().split('\n');
    expect(offered.slice(0, 4).map((line) => line.split('|'))).toEqual(Object.values(cases));
    // If there are no suggestions, the script lets Bash complete files itself.
    if (shell === 'bash') expect([output.split('\n')[4], errors]).toEqual(['', expect.stringContaining('-o default')]);
    else expect(offered[4]).toBe('deal.json');
  });
}

/** Last suggestions before each end of a line, from the terminal's output. */
function readZsh(output: string): string[] {
  let last = '';
  return [...output.matchAll(/<(offer|line) ([^>]*)>/g)].flatMap(([, kind, words = '']) => {
    if (kind === 'line') return last;
    last = words;
    return [];
  });
}
