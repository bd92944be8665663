import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { serve } from '../../../src/shared/server/serve.ts';

interface Started {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

/** The package's command, run from source. */
function run(...args: string[]): Started {
  const child = spawn(
    process.execPath,
    [join(repositoryRoot, 'src', 'sandbox', 'bin', 'carillon-sandbox.ts'), ...args],
    {
      timeout: 30_000,
    },
  );
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

test('serves a sandbox with the given seed and control, and exits cleanly', async () => {
  const { child, url, output, ended } = await started('--seed', '30');
  const users = await fetch(`${url}/crm/v1/users`, { headers: { authorization: 'Bearer any' } });
  expect(await users.json()).toHaveProperty('data.0.id');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(200);
  expect(output()).toMatch(/Contacts +32/);
  expect(output()).toContain('/__sandbox/');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test("prints the page's address, and no line for its polling", async () => {
  const { url, output } = await started();
  expect(output()).toContain(`Page      ${url}/ `);
  expect(await (await fetch(url)).text()).toContain('<title>Carillon sandbox</title>');
  await fetch(`${url}/__sandbox/requests?after=0`);
  await fetch(`${url}/__sandbox/clock/freeze`, { method: 'POST' });
  await expect.poll(output, { timeout: 5_000 }).toContain('POST /__sandbox/clock/freeze 200');
  expect(output()).not.toContain('/__sandbox/requests');
});

test("puts its generated token into the page's address", async () => {
  const { output } = await started('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +(\w{32}) /.exec(output()) ?? [];
  expect(output()).toMatch(new RegExp(`Page +http://\\S+/#token=${token} `));
});

test('allows no control from other machines by default', async () => {
  const { url, output } = await started('--host', '0.0.0.0');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(404);
  expect(output()).not.toContain('/__sandbox/');
});

test.each([
  [['--prot', '1'], /^carillon-sandbox: Unknown option '--prot'\. \S.* --help shows the usage\.\n$/],
  [['--port', 'x'], /^carillon-sandbox: --port must be a whole number from 0 to 65535, not 'x'\.\n$/],
  [['--seed', '-1'], /--seed/],
  [['--seed', 'many'], /^carillon-sandbox: --seed is a whole number of records, not 'many'\.\n$/],
])('reports a mistyped command line in one plain sentence: %j', async (args, message) => {
  const { output, ended } = run(...args);
  expect(await ended).toBe(2);
  expect(output()).toMatch(message);
  expect(output()).not.toMatch(/^ +at /m);
});

test('reports a busy port together with the option', async () => {
  const other = await serve({ fetch: () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { output, ended } = run('--port', new URL(other.url).port);
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^carillon-sandbox: Port \d+ on 127\.0\.0\.1 is in use\. .*--port.*\n$/);
});

test('a start that is refused leaves no data behind, which a later one would take for its own', async () => {
  const folder = dataFolder();
  const other = await serve({ fetch: () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const busy = run('--port', new URL(other.url).port, '--data', folder, '--seed', '20');
  expect([await busy.ended, readdirSync(folder)]).toEqual([1, []]);
  const wrong = run('--port', '0', '--data', folder, '--seed', '99999999');
  expect([await wrong.ended, readdirSync(folder)]).toEqual([1, []]);
  const { output } = await started('--data', folder, '--seed', '30');
  expect(output()).toMatch(/Contacts +32/);
  expect(output()).not.toContain('only to new data');
});

/** Creates a data folder for one test. */
function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-data-'));
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const authorization = 'Bearer any';

test('refuses unusable data in one sentence before it starts to answer', async () => {
  const folder = dataFolder();
  const first = await started('--data', folder);
  const second = run('--port', '0', '--data', folder);
  expect([await second.ended, second.output()]).toEqual([
    1,
    `carillon-sandbox: ${folder}/sandbox.sqlite is in use by another process. Stop it first.\n`,
  ]);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  truncateSync(join(folder, 'sandbox.sqlite'));
  const third = run('--port', '0', '--data', folder);
  expect(await third.ended).toBe(1);
  expect(third.output()).toMatch(/^carillon-sandbox: \S+ is empty, so its contents are lost\. [^\n]+\n$/);
  const file = run('--port', '0', '--data', join(folder, 'sandbox.sqlite'));
  expect(await file.ended).toBe(1);
  expect(file.output()).toMatch(/^carillon-sandbox: The folder \S+ cannot be created\. [^\n]+\n$/);
});

test('says that --seed and --start do not affect existing data', async () => {
  const folder = dataFolder();
  const first = await started('--data', folder, '--seed', '5');
  expect(first.output()).not.toContain('only to new data');
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await started('--data', folder, '--seed', '50', '--start', '2026-11-04');
  expect(second.output()).toContain(`${folder} already has data. --seed and --start would apply only to new data.`);
  expect(second.output()).toMatch(/Contacts +7 /);
});

test('starts with a scenario, and names it', async () => {
  const { url, output } = await started('--scenario', 'empty', '--seed', '3');
  expect(output()).toContain('Scenario  empty: An account without records.');
  expect(output()).toMatch(/Contacts +5 /);
  const { active, scenarios } = await (await fetch(`${url}/__sandbox/scenario`)).json();
  expect([active.name, active.seed, scenarios.length]).toEqual(['empty', 3, 7]);
  const begun = await fetch(`${url}/__sandbox/scenario`, { method: 'POST', body: '{"scenario": "expired-key"}' });
  expect(begun.status).toBe(200);
  expect((await fetch(`${url}/crm/v1/users`, { headers: { authorization } })).status).toBe(401);
});

test('serves a scenario from a file, and reports an invalid one in one plain sentence', async () => {
  const file = join(dataFolder(), 'scenario.json');
  writeFileSync(file, '{"name": "mine", "apiKeys": ["team"], "faults": [{"operation": "listUsers", "status": 503}]}');
  const { url, output, child, ended } = await started('--scenario', file, '--fault', '{"status": 502}');
  expect(output()).toContain("auth: { apiKey: '…' }");
  const call = (key: string) =>
    fetch(`${url}/crm/v1/users`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
  expect([await call('any'), await call('team'), await call('team'), await call('team')]).toEqual([401, 502, 503, 200]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  for (const [text, reason] of [
    ['{"name": "mine", "fault": []}', 'scenario: Unrecognized key: "fault". Did you mean faults?'],
    ['{"name": "mine", "clock": {"startAt": "soon"}}', 'clock.startAt: '],
    ['{', 'JSON'],
  ] as const) {
    writeFileSync(file, text);
    const wrong = run('--port', '0', '--scenario', file);
    expect(await wrong.ended).toBe(2);
    expect(wrong.output()).toMatch(/^carillon-sandbox: --scenario \S+scenario\.json: [^\n]+\n$/);
    expect(wrong.output()).toContain(reason);
  }
  const misspelt = run('--port', '0', '--scenario', 'slwo');
  expect([await misspelt.ended, misspelt.output()]).toEqual([2, expect.stringContaining('Did you mean slow?')]);
});

test('keeps the scenario with the data, and --scenario does not affect existing data', async () => {
  const folder = dataFolder();
  const first = await started('--data', folder, '--scenario', 'expired-key');
  expect(first.output()).not.toContain('only to new data');
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await started('--data', folder, '--scenario', 'slow');
  expect(second.output()).toContain(`${folder} already has data. --scenario would apply only to new data.`);
  expect(second.output()).toContain('Scenario  expired-key');
  expect((await fetch(`${second.url}/crm/v1/users`, { headers: { authorization } })).status).toBe(401);
});

test('a full disk refuses changes only', async () => {
  const folder = dataFolder();
  // Some machines do not permit mounts.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return;
  const { child, url, ended, output } = await started('--data', folder, '--quiet');
  const note = () =>
    fetch(`${url}/crm/v1/deals/501/comments`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'x'.repeat(60_000) }),
    }).then(({ status }) => status);
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(1_000_000));
  let status = await note();
  const first = status;
  for (let count = 0; status === first && count < 100; count += 1) status = await note();
  expect([first, status]).toEqual([200, 507]);
  expect((await fetch(`${url}/crm/v1/contacts/3001`, { headers: { authorization } })).status).toBe(200);
  expect((await fetch(`${url}/__sandbox/state`)).status).toBe(200);
  rmSync(join(folder, 'ballast'));
  expect(await note()).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output()).not.toMatch(/^ +at /m);
});

test('in a container, control needs the token that it prints', async () => {
  const { url, output } = await started('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +([0-9a-f]{32}) /.exec(output()) ?? [];
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(401);
  const authorization = `Bearer ${token}`;
  expect((await fetch(`${url}/__sandbox/clock`, { headers: { authorization } })).status).toBe(200);
});

test('prints a line per request without secrets, and no lines with --quiet', async () => {
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

test('explains its options', async () => {
  const { output, ended } = run('--help');
  expect(await ended).toBe(0);
  const options =
    '--port --host --seed --start --tariff --currency --api-key --client --control --no-control --control-token --control-origin --quiet --config --scenario';
  for (const option of options.split(' ')) expect(output()).toContain(option);
});
