import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { once as onceEvent } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const command = join(repositoryRoot, 'src', 'cli', 'dist', 'bin', 'carillon.js');
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { PATH, NODE_COMPILE_CACHE, CARILLON_CREDENTIALS: join(folder, 'credentials.json') };

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built command in an empty folder, without a terminal. Only a process has pipes, a terminal and an exit code of its own. */
function run(...args: string[]): Promise<Ended> {
  return runWith({}, ...args);
}

/** Like `run`, with additional environment variables. */
function runWith(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...env, ...variables }, cwd: folder };
    const child = execFile(process.execPath, [command, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

it('the built command shows its help, calls the embedded sandbox, and exits with the documented codes', async () => {
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

/** The files and modules that a command loads. */
async function loadedBy(...args: string[]): Promise<{ code: number; loaded: string[] }> {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });
    process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));`;
  const { code, stderr } = await runWith(
    { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` },
    ...args,
  );
  return { code, loaded: stderr.split('\n') };
}

it('help loads no client, validators or HTTP', async () => {
  const { code, loaded } = await loadedBy('--help');
  const known = loaded.filter((line) => /carillon\.js$|client|zod|NativeModule https?$/.test(line));
  expect([code, known]).toEqual([0, [pathToFileURL(command).href]]);
});

it('only --each loads jobs, and never the driver of Postgres', async () => {
  const isJobs = (line: string): boolean => line.startsWith(pathToFileURL(join(repositoryRoot, 'src', 'jobs')).href);
  const isDriver = (line: string): boolean => line.includes('/node_modules/pg');
  const call = ['--sandbox', 'crm', 'tags', 'create'];
  for (const args of [['--help'], [...call, '--help'], [...call, '--name', 'VIP']]) {
    const { code, loaded } = await loadedBy(...args);
    expect([code, loaded.filter((line) => isJobs(line) || isDriver(line))]).toEqual([0, []]);
  }
  writeFileSync(join(folder, 'tags.csv'), 'name\nVIP\n');
  const { code, loaded } = await loadedBy(...call, '--each', 'tags.csv');
  expect([code, loaded.some(isJobs), loaded.filter(isDriver)]).toEqual([0, true, []]);
});

it('login stores the key from standard input, and later commands do not accept a file that others can read', async () => {
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
])('exits with 0 if the reader closes the pipe: %s', async (_, args) => {
  const child = spawn(process.execPath, [command, ...args], { env, cwd: folder });
  child.stdout.destroy();
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  expect(await onceEvent(child, 'close')).toEqual([0, null]);
  expect(errors.join('')).not.toContain('Error');
});

it('ends at its deadline, even if the token endpoint does not respond', async () => {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  }).listen(0, '127.0.0.1');
  await onceEvent(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const credentials = { CARILLON_CLIENT_ID: 'shop', CARILLON_CLIENT_SECRET: 'hush-hush' };
  const variables = { CARILLON_BASE_URL: `http://127.0.0.1:${port}`, ...credentials };
  const ended = await Promise.all([
    runWith(variables, 'crm', 'users', 'list', '--timeout', '1'),
    runWith(variables, 'api', 'GET', '/crm/v1/extras', '--timeout', '1'),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([9, 9]);
  // The client would send the token request again after ten seconds.
  expect(requests).toBe(2);
});

it('appends complete output to a file', async () => {
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

it.runIf(existsSync('/dev/full'))('reports a full disk as a failure', async () => {
  const stdio: StdioOptions = ['ignore', openSync('/dev/full', 'w'), 'pipe'];
  const child = spawn(process.execPath, [command, '--sandbox', 'crm', 'contacts', 'list'], { env, stdio });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  expect(await onceEvent(child, 'close')).toEqual([1, null]);
  expect(errors.join('')).toMatch(/^carillon: the output cannot be written: ENOSPC.*\n$/m);
});

/** A proxy that records each target and answers 502. */
async function startProxy(): Promise<{ asked: string[]; address: string }> {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await onceEvent(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  return { asked, address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

it.each([
  ['HTTPS_PROXY', 'https://api.example.com', 'api.example.com:443'],
  ['http_proxy', 'http://127.0.0.1:40009', '127.0.0.1:40009'],
])('sends requests through the proxy in %s', async (name, baseUrl, target) => {
  const { asked, address } = await startProxy();
  const { code } = await runWith(
    { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'any', [name]: address },
    ...'crm users list --timeout 5'.split(' '),
  );
  expect([code, asked[0]]).toEqual([9, target]);
});

it('connects directly to the hosts in NO_PROXY', async () => {
  const { asked, address } = await startProxy();
  const { code } = await runWith(
    {
      CARILLON_BASE_URL: 'http://127.0.0.1:40009',
      CARILLON_API_KEY: 'any',
      HTTP_PROXY: address,
      NO_PROXY: '127.0.0.1',
    },
    ...'crm users list --timeout 5'.split(' '),
  );
  expect([code, asked]).toEqual([9, []]);
});

it('does not accept a proxy without an address and hides its password', async () => {
  const { code, stderr } = await runWith(
    { CARILLON_BASE_URL: 'https://api.example.com', CARILLON_API_KEY: 'any', HTTPS_PROXY: 'me:hunter2@proxy:3128' },
    ...'crm users list'.split(' '),
  );
  expect([code, stderr]).toEqual([
    3,
    'carillon: HTTPS_PROXY must be a proxy address such as http://proxy.example.com:3128.\n',
  ]);
});

it('treats Ctrl+D as no', async () => {
  // `script` runs the command in a terminal.
  const line = `${process.execPath} ${command} --sandbox crm deals delete 501`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { env, cwd: folder });
  let shown = '';
  child.stdout.on('data', (chunk) => {
    if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) child.stdin.write('\u0004');
    shown += chunk;
  });
  const [code] = await onceEvent(child, 'close');
  expect([code, shown]).toEqual([10, expect.stringMatching(/\ncarillon: Not confirmed\. Nothing was sent\./)]);
});
