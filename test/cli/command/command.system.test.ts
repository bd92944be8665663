import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { once as onceEvent } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { startProgram } from '../../../src/cli/command/start-program.ts';
import { once } from '../../support/once/once.ts';

beforeAll(() => once('dist'));
const folder = mkdtempSync(join(tmpdir(), 'carillon-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const command = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');
const env = { PATH: process.env.PATH, CARILLON_CREDENTIALS: join(folder, 'credentials.json') };

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built command in an empty folder, without a terminal. */
function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command, ...args], { env, cwd: folder }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

it('the built command shows its help, calls the embedded sandbox, and exits with its codes', async () => {
  const ended = await Promise.all([
    run('--help'),
    run('--sandbox', 'crm', 'deals', 'get', '501'),
    run('--sandbox', 'crm', 'deals', 'delete', '501'),
    run('crm', 'users', 'list'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 10, 3]);
  expect(ended[0]?.stdout).toContain('Usage: carillon ');
  expect(JSON.parse(ended[1]?.stdout ?? '')).toMatchObject({ id: 501 });
});

it('login stores what comes from standard input, and the next command refuses a file that others can read', async () => {
  const child = spawn(process.execPath, [command, 'login', '--base-url', 'https://api.example.com'], {
    env,
    cwd: folder,
  });
  child.stdin.end('my-secret-key\n');
  expect(await onceEvent(child, 'exit')).toEqual([0, null]);
  chmodSync(env.CARILLON_CREDENTIALS, 0o644);
  const { code, stderr } = await run('crm', 'users', 'list');
  expect([code, stderr]).toEqual([3, expect.stringContaining('chmod 600')]);
});

it.each([
  ['a list', ['--sandbox', 'crm', 'contacts', 'list', '--all']],
  ['help', ['--help']],
])('a reader that closes the pipe is not a failure: %s', async (_, args) => {
  const child = spawn(process.execPath, [command, ...args], { env, cwd: folder });
  child.stdout.destroy();
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  expect(await onceEvent(child, 'close')).toEqual([0, null]);
  expect(errors.join('')).not.toContain('Error');
});

it('a file of the output is written at its end, completely', async () => {
  const name = join(folder, 'contacts.json');
  writeFileSync(name, 'before\n');
  const file = openSync(name, 'a');
  const stdio: StdioOptions = ['ignore', file, 'ignore'];
  const child = spawn(process.execPath, [command, '--sandbox', 'crm', 'contacts', 'list'], { env, stdio });
  expect(await onceEvent(child, 'exit')).toEqual([0, null]);
  closeSync(file);
  const [before, json = ''] = readFileSync(name, 'utf8').split(/(?<=^before\n)/);
  expect([before, JSON.parse(json).length]).toEqual(['before\n', 2]);
});

it.runIf(existsSync('/dev/full'))('a full disk is a failure that says so', async () => {
  const stdio: StdioOptions = ['ignore', openSync('/dev/full', 'w'), 'pipe'];
  const child = spawn(process.execPath, [command, '--sandbox', 'crm', 'contacts', 'list'], { env, stdio });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  expect(await onceEvent(child, 'close')).toEqual([1, null]);
  expect(errors.join('')).toMatch(/^carillon: the output cannot be written: ENOSPC.*\n$/m);
});

it('a command whose package is not installed: what to install', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const find = () => {
    throw new Error('Cannot find package');
  };
  expect(await startProgram('jobs', [], find)).toBe(3);
  expect(said.mock.calls).toEqual([['carillon: this needs another package: npm install carillon-jobs\n']]);
  said.mockRestore();
});

it('requests go through the proxy that the environment names', async () => {
  const asked: string[] = [];
  const proxy = createServer();
  // A client may ask for a tunnel, or for the address itself.
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.on('request', (request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.listen(0, '127.0.0.1');
  await onceEvent(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const own = {
    ...env,
    CARILLON_BASE_URL: 'https://api.example.com',
    CARILLON_API_KEY: 'any',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
  };
  const child = spawn(process.execPath, [command, 'crm', 'users', 'list', '--timeout', '5'], { env: own, cwd: folder });
  const [code] = await onceEvent(child, 'exit');
  proxy.close();
  expect(code).not.toBe(0);
  expect(asked[0]).toBe('api.example.com:443');
});

it('Ctrl+D is a no', async () => {
  // `script` gives the command a terminal.
  const line = `${process.execPath} ${command} --sandbox crm deals delete 501`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { env, cwd: folder });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) child.stdin.write('\u0004');
    shown += chunk;
  });
  const [code] = await onceEvent(child, 'close');
  expect([code, shown]).toEqual([10, expect.stringContaining('Not confirmed. Nothing was sent.')]);
});
