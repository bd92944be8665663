import { mkdtempSync, rmSync } from 'node:fs';
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
  const code = await runSandbox('carillon-sandbox', ['--port', '0', '--quiet', ...args]);
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
  return { code, output, url, stop };
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const statusOf = (url: string, key: string): Promise<number> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

test('serves a sandbox and its page until a signal stops it', async () => {
  const { code, output, url, stop } = await start();
  expect(code).toBe(0);
  expect(output).toContain(`createClient({ baseUrl: '${url}', auth: { apiKey: 'any' } })`);
  expect(output).toContain(`Control   ${url}/__sandbox/`);
  expect(await statusOf(`${url}/crm/v1/users`, 'any')).toBe(200);
  expect(await (await fetch(url)).text()).toContain('<title>Carillon sandbox</title>');
  await stop();
});

test('says which scenario it begins, and accepts only the given keys', async () => {
  const { output, url } = await start('--scenario', 'empty', '--api-key', 'team');
  expect(output).toContain('Scenario  empty: An account without records.');
  expect(output).toContain("auth: { apiKey: '…' }");
  expect([await statusOf(`${url}/crm/v1/users`, 'any'), await statusOf(`${url}/crm/v1/users`, 'team')]).toEqual([
    401, 200,
  ]);
});

test('without control, has no page and no control requests', async () => {
  const { output, url } = await start('--no-control');
  expect(output).not.toMatch(/Page|Control/);
  expect((await fetch(`${url}/__sandbox/clock`)).status).not.toBe(200);
});

test('creates a token for control if other machines can reach it', async () => {
  const { output, url } = await start('--host', '0.0.0.0', '--control');
  const [, token = ''] = /Token +([0-9a-f]{32}) /.exec(output) ?? [];
  expect([await statusOf(`${url}/__sandbox/clock`, 'any'), await statusOf(`${url}/__sandbox/clock`, token)]).toEqual([
    401, 200,
  ]);
});

test('keeps data, says what does not apply to it, and refuses data that another process uses', async () => {
  const folder = dataFolder();
  const first = await start('--data', folder, '--worlds', 'credential');
  expect(first.output).toContain(`Data      ${folder} (kept after a restart)`);
  await statusOf(`${first.url}/crm/v1/users`, 'ann');
  await statusOf(`${first.url}/crm/v1/users`, 'ben');
  const busy = await start('--data', folder);
  expect([busy.code, busy.output]).toEqual([
    1,
    `carillon-sandbox: ${folder}/sandbox.sqlite is in use by another process. Stop it first.\n`,
  ]);
  await first.stop();
  await expect
    .poll(async () => (await start('--data', folder, '--seed', '5', '--start', '2026-11-04')).output)
    .toContain(`${folder} already has data. --seed and --start would apply only to new data.`);
});

test('a port that is in use is one sentence', async () => {
  const other = await serve({ fetch: async () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { code, output } = await start('--port', new URL(other.url).port);
  expect([code, output]).toEqual([1, expect.stringMatching(/^carillon-sandbox: [^\n]*--port[^\n]*\n$/)]);
});

test('a wrong option is a usage error with advice', async () => {
  const { code, output } = await start('--scenario', 'slwo');
  expect([code, output]).toEqual([2, expect.stringContaining('Did you mean slow?')]);
});
