import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { formatLine } from '../../../src/bin/request-lines.ts';
import { readConfig } from '../../../src/bin/sandbox-config.ts';
import { parseSandboxOptions } from '../../../src/bin/sandbox-options.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
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

test('it names its page, and prints no line for what the page reads each second', async () => {
  const { url, output } = await started();
  expect(output()).toContain(`Page      ${url}/ `);
  expect(await (await fetch(url)).text()).toContain('<title>Carillon sandbox</title>');
  await fetch(`${url}/__sandbox/requests?after=0`);
  await fetch(`${url}/__sandbox/clock/freeze`, { method: 'POST' });
  await expect.poll(output, { timeout: 5_000 }).toContain('POST /__sandbox/clock/freeze 200');
  expect(output()).not.toContain('/__sandbox/requests');
});

test('the address of the page contains a token that the command has made', async () => {
  const { output } = await started('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +(\w{32}) /.exec(output()) ?? [];
  expect(output()).toMatch(new RegExp(`Page +http://\\S+/#token=${token} `));
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
  expect(Boolean(parseSandboxOptions('carillon-sandbox', args).sandbox.control)).toBe(control);
});

test('addresses that only this machine reaches', () => {
  expect(['127.0.0.1', '127.8.0.1', '::1', 'localhost'].filter((host) => !isLoopback(host))).toEqual([]);
  expect(['0.0.0.0', '::', '127.example.com', '10.0.0.1', ''].filter(isLoopback)).toEqual([]);
});

test.each([
  [['--prot', '1'], /^Unknown option '--prot'\. \S.* --help shows the usage\.\n$/],
  [['--port', 'x'], /^--port is a whole number from 0 to 65535, not 'x'\.\n$/],
  [['--seed', '-1'], /--seed/],
  [['--seed', 'many'], /^--seed is a whole number of records, not 'many'\.\n$/],
])('a mistyped command line is one plain sentence: %j', async (args, message) => {
  const { output, ended } = run(...args);
  expect(await ended).toBe(2);
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

test('every option of createSandbox is an option of the command', () => {
  const { sandbox, ...rest } = parseSandboxOptions('carillon-sandbox', [
    ...['--port', '1', '--host', 'localhost', '--quiet', '--seed', 'none', '--start', '2026-11-04T12:00:00Z'],
    ...['--tariff', 'free', '--currency', 'USD', '--api-key', 'one', '--api-key', 'two', '--client', 'shop:hu:sh'],
    ...['--control-token', 'sesame', '--control-origin', 'http://localhost:3000', '--data', 'kept', '--data-sync'],
    ...['--worlds', 'header:x-worker', '--max-worlds', '7', '--strict', '--own-field', 'region'],
  ]);
  const expected: Required<Omit<SandboxOptions, 'store'>> = {
    seed: false,
    startAt: Date.UTC(2026, 10, 4, 12),
    tariff: 'free',
    currency: 'USD',
    apiKeys: ['one', 'two'],
    clients: [{ clientId: 'shop', clientSecret: 'hu:sh' }],
    control: { token: 'sesame', origins: ['http://localhost:3000'] },
    worlds: { header: 'x-worker' },
    maxWorlds: 7,
    strict: true,
    ownFields: ['region'],
  };
  expect(sandbox).toEqual(expected);
  expect(rest).toMatchObject({ port: 1, host: 'localhost', quiet: true, data: 'kept', dataSync: true });
});

test('a configuration file has the same options, and the command line comes first', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'carillon-')), 'sandbox.json');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const written = {
    port: 4100,
    host: '0.0.0.0',
    quiet: true,
    seed: true,
    startAt: '2026-11-04',
    tariff: 'free',
    currency: 'USD',
    apiKeys: ['one'],
    clients: [{ clientId: 'shop', clientSecret: 'hush' }],
    control: { token: 'sesame' },
    worlds: 'credential',
    maxWorlds: 5,
    strict: true,
    ownFields: ['region'],
  };
  writeFileSync(file, JSON.stringify(written));
  const parse = (...args: string[]) => parseSandboxOptions('carillon-sandbox', args, readConfig(file));
  const { port, host, quiet, ...sandbox } = { ...written, startAt: Date.UTC(2026, 10, 4) };
  expect(parse()).toMatchObject({ port, host, quiet, sandbox });
  expect(parse('--port', '1', '--tariff', 'paid', '--no-control', '--no-quiet')).toMatchObject({
    port: 1,
    quiet: false,
    sandbox: { tariff: 'paid', control: false, currency: 'USD' },
  });
  writeFileSync(file, '{"tarif":"free"}');
  expect(() => readConfig(file)).toThrow(/tarif/);
  expect(() => readConfig(`${file}.none`)).toThrow(/--config .*no such file/);
});

test.each([
  [['--start', 'tomorrow'], /--start is a time/],
  [['--start', '2026-11-04T12:00:00'], /--start is a time/],
  [['--tariff', 'gold'], /--tariff is paid or free/],
  [['--currency', 'euro'], /--currency is a code/],
  [['--client', 'shop'], /--client is an ID and a secret/],
  [['--worlds', 'mine'], /--worlds is shared, credential or header/],
  [['--max-worlds', '0'], /--max-worlds is a whole number/],
  [['--data-sync'], /--data-sync needs --data/],
])('a wrong value is explained: %j', (args, message) => {
  expect(() => parseSandboxOptions('carillon-sandbox', args)).toThrow(message);
});

test('beyond this machine, control needs a token, which is created and shown unless it is given', () => {
  const control = (...args: string[]) => parseSandboxOptions('c', args, {}, () => 'created').sandbox.control;
  expect(control('--host', '0.0.0.0', '--control')).toEqual({ token: 'created' });
  expect(control('--host', '0.0.0.0', '--control-token', 'given')).toEqual({ token: 'given' });
  expect(control('--host', '0.0.0.0', '--control-token', 'given', '--no-control')).toBe(false);
  expect(control()).toEqual({});
});

test('in a container it is controlled with the token that it shows', async () => {
  const { url, output } = await started('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +([0-9a-f]{32}) /.exec(output()) ?? [];
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(401);
  const authorization = `Bearer ${token}`;
  expect((await fetch(`${url}/__sandbox/clock`, { headers: { authorization } })).status).toBe(200);
});

test('it prints one line per request without secrets, and none with --quiet', async () => {
  const { url, output, child, ended } = await started();
  const call = (path: string) => fetch(`${url}${path}`, { headers: { authorization: 'Bearer hush-key' } });
  await call('/crm/v1/users?access_token=hush-query&a=1');
  await call('/crm/v1/pipelines/9/fail-reasons');
  await call('/crm/v1/deals/9');
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.endsWith(' ms'));
  await expect.poll(lines, { timeout: 10_000, interval: 20 }).toHaveLength(3);
  expect(lines()).toEqual([
    expect.stringMatching(/^GET \/crm\/v1\/users\?access_token=\*\*\*&a=1 200 [\d.]+ ms$/),
    expect.stringMatching(/^GET \/crm\/v1\/pipelines\/9\/fail-reasons 404 fail-reasons-unknown-pipeline [\d.]+ ms$/),
    expect.stringMatching(/^GET \/crm\/v1\/deals\/9 404 unknown-record [\d.]+ ms$/),
  ]);
  expect(output()).not.toContain('hush');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const quiet = await started('--quiet');
  await fetch(`${quiet.url}/crm/v1/users`);
  quiet.child.kill('SIGTERM');
  await quiet.ended;
  expect(quiet.output()).not.toContain(' ms');
});

test('a line cannot control the terminal, and is not longer than needed', () => {
  const line = formatLine({
    method: 'GET',
    target: `/\u001b[2J${'x'.repeat(500)}`,
    status: 0,
    header: () => null,
    milliseconds: 1,
  });
  expect(line).toMatch(/^GET \/\?\[2Jx+… dropped 1\.0 ms$/);
  expect(line.length).toBeLessThan(230);
});

test('it explains its options', async () => {
  const { output, ended } = run('--help');
  expect(await ended).toBe(0);
  const options =
    '--port --host --seed --start --tariff --currency --api-key --client --[no-]control --control-token --control-origin --quiet --config';
  for (const option of options.split(' ')) expect(output()).toContain(option);
});
