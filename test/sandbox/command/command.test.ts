import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runSandbox } from '../../../src/sandbox/command/command.ts';
import { serve } from '../../../src/shared/server/serve.ts';

/** Runs the command in this process. Signals are those that it listens to. */
async function start(...args: string[]) {
  vi.stubEnv('npm_lifecycle_event', '');
  let output = '';
  const note = (text: string): void => {
    output += `${text}\n`;
  };
  vi.spyOn(console, 'log').mockImplementation(note);
  vi.spyOn(console, 'error').mockImplementation(note);
  const before = process.listenerCount('SIGTERM');
  const code = await runSandbox('carillon-sandbox', ['--port', '0', ...args]);
  const lines: string[] = [];
  vi.mocked(console.log).mockImplementation((line) => void lines.push(line));
  const [url = ''] = /http:\/\/\S+?:\d+/.exec(output) ?? [];
  const isOpen = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  let hasStopped = process.listenerCount('SIGTERM') === before;
  const stop = async (): Promise<void> => {
    if (hasStopped) return;
    hasStopped = true;
    process.listeners('SIGTERM').at(-1)?.('SIGTERM');
    await expect.poll(isOpen).toBe(false);
  };
  onTestFinished(stop);
  return { code, output, url, lines, stop };
}

/** Starts the command when the folder is free: a sandbox closes its data after its server. */
function startAgain(...args: string[]): ReturnType<typeof start> {
  return vi.waitFor(async () => {
    const started = await start(...args);
    expect(started.output).not.toContain('in use by another process');
    return started;
  });
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const statusOf = (url: string, key: string): Promise<number> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

test('serves a sandbox with the given seed, control and a page until a signal stops it', async () => {
  const { code, output, url, stop } = await start('--seed', '30');
  expect(code).toBe(0);
  expect(output).toContain(`createClient({ baseUrl: '${url}', auth: { apiKey: 'any' } })`);
  expect(output).toContain(`Page      ${url}/ `);
  expect(output).toContain(`Control   ${url}/__sandbox/`);
  expect(output).toMatch(/Contacts +32/);
  const users = await fetch(`${url}/crm/v1/users`, { headers: { authorization: 'Bearer any' } });
  expect(await users.json()).toHaveProperty('data.0.id');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain('<title>Carillon sandbox</title>');
  await stop();
});

test("prints a line per request without secrets, and none for the page's polling", async () => {
  const { url, lines } = await start();
  await statusOf(`${url}/crm/v1/users?access_token=hush-query&a=1`, 'hush-key');
  await statusOf(`${url}/crm/v1/pipelines/9/fail-reasons`, 'hush-key');
  await statusOf(`${url}/crm/v1/deals/9`, 'hush-key');
  await fetch(`${url}/__sandbox/requests?after=0`);
  await fetch(`${url}/__sandbox/clock/freeze`, { method: 'POST' });
  await expect.poll(() => lines).toHaveLength(4);
  expect(lines).toEqual([
    expect.stringMatching(/^GET \/crm\/v1\/users\?access_token=\*\*\*&a=1 200 [\d.]+ ms$/),
    expect.stringMatching(/^GET \/crm\/v1\/pipelines\/9\/fail-reasons 404 fail-reasons-unknown-pipeline [\d.]+ ms$/),
    expect.stringMatching(/^GET \/crm\/v1\/deals\/9 404 unknown-record [\d.]+ ms$/),
    expect.stringMatching(/^POST \/__sandbox\/clock\/freeze 200 [\d.]+ ms$/),
  ]);
});

test('prints no lines with --quiet', async () => {
  const { url, lines, stop } = await start('--quiet');
  await statusOf(`${url}/crm/v1/users`, 'any');
  await stop();
  expect(lines).toEqual([]);
});

test('explains its options', async () => {
  const { code, output } = await start('--help');
  expect(code).toBe(0);
  const options =
    '--port --host --seed --start --tariff --currency --api-key --client --control --no-control --control-token --control-origin --quiet --config --scenario';
  for (const option of options.split(' ')) expect(output).toContain(option);
});

test('says which scenario it begins, which a control request can change, and accepts only the given keys', async () => {
  const { output, url } = await start('--scenario', 'quota-used-up', '--seed', '3', '--api-key', 'team');
  expect(output).toContain('Scenario  quota-used-up: ');
  expect(output).toContain("auth: { apiKey: '…' }");
  expect(output).toMatch(/Contacts +5 /);
  expect([await statusOf(`${url}/crm/v1/users`, 'any'), await statusOf(`${url}/crm/v1/users`, 'team')]).toEqual([
    401, 200,
  ]);
  const { active, scenarios } = await (await fetch(`${url}/__sandbox/scenario`)).json();
  expect([active.name, scenarios.length]).toEqual(['quota-used-up', 7]);
  const begun = await fetch(`${url}/__sandbox/scenario`, { method: 'POST', body: '{"scenario": "expired-key"}' });
  expect(begun.status).toBe(200);
  expect(await statusOf(`${url}/crm/v1/users`, 'team')).toBe(401);
});

test('serves a scenario from a file, and reports an invalid one in one plain sentence', async () => {
  const file = join(dataFolder(), 'scenario.json');
  writeFileSync(file, '{"name": "mine", "apiKeys": ["team"], "faults": [{"operation": "listUsers", "status": 503}]}');
  const { url, output } = await start('--scenario', file, '--fault', '{"status": 502}');
  expect(output).toContain("auth: { apiKey: '…' }");
  const statuses: number[] = [];
  for (const key of ['any', 'team', 'team']) statuses.push(await statusOf(`${url}/crm/v1/users`, key));
  expect(statuses).toEqual([401, 503, 200]);
  for (const [text, reason] of [
    ['{"name": "mine", "fault": []}', 'scenario: there is no field fault. Did you mean faults?'],
    ['{"name": "mine", "clock": {"startAt": "soon"}}', 'clock.startAt: '],
    ['{', 'JSON'],
  ] as const) {
    writeFileSync(file, text);
    const wrong = await start('--scenario', file);
    expect(wrong.code).toBe(2);
    expect(wrong.output).toMatch(/^carillon-sandbox: --scenario \S+scenario\.json: [^\n]+\n$/);
    expect(wrong.output).toContain(reason);
  }
});

test('without control, has no page and no control requests', async () => {
  const { output, url } = await start('--no-control');
  expect(output).not.toMatch(/Page|Control/);
  expect((await fetch(`${url}/__sandbox/clock`)).status).not.toBe(200);
});

test('allows no control from other machines by default', async () => {
  const { output, url } = await start('--host', '0.0.0.0');
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(404);
  expect(output).not.toContain('/__sandbox/');
});

test("creates a token for control if other machines can reach it, and puts it into the page's address", async () => {
  const { output, url } = await start('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +([0-9a-f]{32}) /.exec(output) ?? [];
  expect(output).toMatch(new RegExp(`Page +http://\\S+/#token=${token} `));
  expect((await fetch(`${url}/__sandbox/clock`)).status).toBe(401);
  expect([await statusOf(`${url}/__sandbox/clock`, 'any'), await statusOf(`${url}/__sandbox/clock`, token)]).toEqual([
    401, 200,
  ]);
});

test('keeps data, says what does not apply to it, and fails if another process uses them', async () => {
  const folder = dataFolder();
  const first = await start('--data', folder, '--worlds', 'credential', '--seed', '5');
  expect(first.output).toContain(`Data      ${folder} (kept after a restart)`);
  expect(first.output).not.toContain('only to new data');
  await statusOf(`${first.url}/crm/v1/users`, 'ann');
  await statusOf(`${first.url}/crm/v1/users`, 'ben');
  const busy = await start('--data', folder);
  expect([busy.code, busy.output]).toEqual([
    1,
    `carillon-sandbox: ${folder}/sandbox.sqlite is in use by another process. Stop that process first.\n`,
  ]);
  await first.stop();
  const { output } = await startAgain('--data', folder, '--seed', '50', '--start', '2026-11-04');
  expect(output).toContain(`${folder} already contains data. --seed and --start would apply only to new data.`);
  expect(output).toMatch(/Contacts +7 /);
});

test('keeps the scenario with the data, and --scenario does not affect existing data', async () => {
  const folder = dataFolder();
  const first = await start('--data', folder, '--scenario', 'expired-key');
  expect(first.output).not.toContain('only to new data');
  await first.stop();
  const { output, url } = await startAgain('--data', folder, '--scenario', 'slow');
  expect(output).toContain(`${folder} already contains data. --scenario would apply only to new data.`);
  expect(output).toContain('Scenario  expired-key');
  expect(await statusOf(`${url}/crm/v1/users`, 'any')).toBe(401);
});

test('unusable data end the start with one sentence', async () => {
  const folder = dataFolder();
  const file = join(folder, 'sandbox.sqlite');
  await (await start('--data', folder)).stop();
  await startAgain('--data', folder).then(({ stop }) => stop());
  truncateSync(file);
  const empty = await startAgain('--data', folder);
  expect([empty.code, empty.output]).toEqual([
    1,
    expect.stringMatching(/^carillon-sandbox: \S+ is empty, so its contents are lost\. [^\n]+\n$/),
  ]);
  const notFolder = await start('--data', file);
  expect([notFolder.code, notFolder.output]).toEqual([
    1,
    expect.stringMatching(/^carillon-sandbox: The folder \S+ cannot be created\. [^\n]+\n$/),
  ]);
});

test('a start that fails leaves no data behind, which a later one would take for its own', async () => {
  const folder = dataFolder();
  const other = await serve({ fetch: async () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const busy = await start('--port', new URL(other.url).port, '--data', folder, '--seed', '20');
  expect([busy.code, busy.output, readdirSync(folder)]).toEqual([
    1,
    expect.stringMatching(/^carillon-sandbox: Port \d+ on 127\.0\.0\.1 is in use\. [^\n]*--port[^\n]*\n$/),
    [],
  ]);
  const wrong = await start('--data', folder, '--control-origin', 'localhost');
  expect([wrong.code, readdirSync(folder)]).toEqual([1, []]);
  const { output } = await start('--data', folder, '--seed', '30');
  expect(output).toMatch(/Contacts +32/);
  expect(output).not.toContain('only to new data');
});

test.each([
  [['--prot', '1'], /^carillon-sandbox: Unknown option '--prot'\. \S.* --help shows the usage\.\n$/],
  [['--port', 'x'], /^carillon-sandbox: --port must be a whole number from 0 to 65535, not 'x'\.\n$/],
  [['--seed', '-1'], /^carillon-sandbox: [^\n]*--seed[^\n]*\n$/],
  [
    ['--seed', 'many'],
    /^carillon-sandbox: --seed must be 'none' or a whole number of records from 0 to 1000000, not 'many'\.\n$/,
  ],
  [['--scenario', 'slwo'], /^carillon-sandbox: [^\n]*Did you mean slow\?[^\n]*\n$/],
])('reports a mistyped command line in one plain sentence: %j', async (args, message) => {
  const { code, output } = await start(...args);
  expect([code, output]).toEqual([2, expect.stringMatching(message)]);
});
