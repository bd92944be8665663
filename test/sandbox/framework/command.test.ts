import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { parseSandboxOptions } from '../../../src/bin/sandbox-options.ts';
import { isLoopback } from '../../../src/server/options.ts';
import { serve } from '../../../src/server/serve.ts';

interface Started {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

/** The command of the package, run from source. */
function run(...args: string[]): Started {
  const child = spawn(process.execPath, [join(repositoryRoot, 'src', 'bin', 'sandbox.ts'), ...args], {
    timeout: 30_000,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text, ended: new Promise((resolve) => child.on('close', resolve)) };
}

async function started(...args: string[]): Promise<Started & { url: string }> {
  const running = run('--port', '0', ...args);
  await Promise.race([
    expect.poll(running.output, { timeout: 20_000, interval: 50 }).toContain('Ctrl+C ends it.'),
    running.ended,
  ]);
  const [url = ''] = /http:\/\/\S+?:\d+/.exec(running.output()) ?? [];
  return { ...running, url };
}

test('it serves a sandbox with the asked-for seed, can be controlled, and ends cleanly', async () => {
  const { child, url, output, ended } = await started('--seed', '30');
  const users = await fetch(`${url}/crm/v1/users`, { headers: { authorization: 'Bearer any' } });
  expect(await users.json()).toHaveProperty('data.0.id');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(200);
  expect(output()).toMatch(/Contacts +32/);
  expect(output()).toContain('/__sandbox/');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('it cannot be controlled from other machines unless requested', async () => {
  const { url, output } = await started('--host', '0.0.0.0');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(404);
  expect(output()).not.toContain('/__sandbox/');
});

test.each([
  [[], true],
  [['--host', 'localhost'], true],
  [['--no-control'], false],
  [['--host', '0.0.0.0'], false],
  [['--host', '192.0.2.7'], false],
  [['--host', '0.0.0.0', '--control'], true],
])('control with %j: %s', (args, control) => {
  expect(parseSandboxOptions('carillon-sandbox', args).control).toBe(control);
});

test('addresses that only this machine reaches', () => {
  expect(['127.0.0.1', '127.8.0.1', '::1', 'localhost'].filter((host) => !isLoopback(host))).toEqual([]);
  expect(['0.0.0.0', '::', '127.example.com', '10.0.0.1', ''].filter(isLoopback)).toEqual([]);
});

test.each([
  [['--prot', '1'], /^Unknown option '--prot'\. The options are --port, .*--seed/],
  [['--port', 'x'], /^--port is a whole number from 0 to 65535, not 'x'\.\n$/],
  [['--seed', '-1'], /--seed/],
  [['--seed', 'many'], /^--seed is a whole number of records, not 'many'\.\n$/],
])('a mistyped command line is one plain sentence: %j', async (args, message) => {
  const { output, ended } = run(...args);
  expect(await ended).toBe(1);
  expect(output()).toMatch(message);
  expect(output()).not.toMatch(/^ +at /m);
});

test('a busy port is reported together with the option', async () => {
  const other = await serve({ fetch: () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { output, ended } = run('--port', new URL(other.url).port);
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use\. .*--port.*\n$/);
});

test('it explains its options', async () => {
  const { output, ended } = run('--help');
  expect(await ended).toBe(0);
  for (const option of ['--port', '--host', '--seed', '--[no-]control']) expect(output()).toContain(option);
});
