import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
);
const root = mkdtempSync(join(tmpdir(), 'carillon-run-'));

beforeAll(() => {
  for (const part of ['scripts/run.mjs', 'scripts/command-line']) {
    cpSync(join(repositoryRoot, part), join(root, part), { recursive: true });
  }
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs the text of an npm script in the copy, with additional arguments. */
function run(name: string, text: string, ...args: string[]) {
  const [, ...words] = text.split(' ');
  const env = { ...process.env, npm_lifecycle_event: name };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

describe('without node_modules', () => {
  const installing = Object.entries(scripts).filter(([name]) => name !== 'start');

  it.each(installing)('npm run %s asks for npm ci, and does no more', (name, text) => {
    expect(run(name, text)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The packages of the project are not installed: run npm ci first.\n',
    });
  });

  it('npm start -- --help asks for npm ci, too, and installs no packages', () => {
    expect(run('start', scripts.start ?? '', '--help')).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('with node_modules', () => {
  const start = 'node scripts/run.mjs';

  beforeAll(() => {
    mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), '{}');
    writeFileSync(
      join(root, 'print.ts'),
      'const args: string[] = process.argv.slice(2);\nconsole.log(args.join(), process.env.WHO ?? "");\n',
    );
    writeFileSync(join(root, 'fail.ts'), 'process.exitCode = 3;\n');
  });

  it('runs the steps in order, with environment variables, and passes arguments to the last one', () => {
    expect(run('test', `${start} WHO=Ann=1 print.ts first -- print.ts second`, '--third')).toEqual({
      status: 0,
      stdout: 'first Ann=1\nsecond,--third \n',
      stderr: '',
    });
  });

  it('stops at a failing step, with its exit code', () => {
    expect(run('test', `${start} fail.ts -- print.ts`)).toEqual({ status: 3, stdout: '', stderr: '' });
    expect(run('test', `${start} fail.ts`)).toMatchObject({ status: 3 });
    expect(run('test', `${start} no-such-tool`)).toMatchObject({ status: 1, stderr: 'spawn no-such-tool ENOENT\n' });
  });

  it('with --help, runs only a program of the project', () => {
    expect(run('test', `${start} fail.ts -- print.ts`, '--help').stdout).toBe('--help \n');
    expect(run('test', `${start} WHO=Ann fail.ts -- vitest run`, '-h')).toEqual({
      status: 0,
      stdout:
        'Usage: npm run test -- [arguments]\n\nRuns:\n  WHO=Ann fail.ts\n  vitest run\n\nThe arguments are those of the last line.\n',
      stderr: '',
    });
  });
});
