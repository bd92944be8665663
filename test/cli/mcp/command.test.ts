import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runMcp } from '../../../src/cli/mcp/command.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { createAgent } from './connect.ts';

/** Runs the command in this process, over HTTP. */
async function start(...args: string[]) {
  vi.stubEnv('npm_lifecycle_event', '');
  let output = '';
  vi.spyOn(console, 'error').mockImplementation((text: string) => {
    output += `${text}\n`;
  });
  const before = process.listenerCount('SIGTERM');
  const code = await runMcp('carillon-mcp', ['--http', '--port', '0', ...args]);
  const [url = ''] = /http:\/\/\S+/.exec(output) ?? [];
  const isOpen = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  onTestFinished(async () => {
    if (process.listenerCount('SIGTERM') === before) return;
    process.listeners('SIGTERM').at(-1)?.('SIGTERM');
    await expect.poll(isOpen).toBe(false);
  });
  return { code, output, url };
}

function tokenPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'token');
}

it('serves agents that have its token, and no others, until a signal stops it', async () => {
  const file = tokenPath();
  const { code, output, url } = await start('--sandbox', '--token-file', file);
  expect(code).toBe(0);
  expect(output).toContain(`with the token in ${file}.\n`);
  const token = readFileSync(file, 'utf8').trim();
  expect(output).not.toContain(token);
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const client = createAgent('2026-07-28');
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  const { content } = await client.callTool({ name: 'read', arguments: { method: 'crm.users.list' } });
  expect(JSON.stringify(content)).toContain('items 0 to 1 of 2');
});

it('says so if every program of the machine can use it', async () => {
  const { output } = await start('--sandbox', '--no-token');
  expect(output).toContain('Every program of this machine can use it.\nIt calls ');
});

it('without credentials, ends with 3 and says what to do', async () => {
  vi.stubEnv('CARILLON_BASE_URL', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', join(tmpdir(), 'carillon-none'));
  vi.stubEnv('HOME', '/nonexistent');
  const { code, output } = await start('--token-file', tokenPath());
  expect([code, output]).toEqual([3, expect.stringMatching(/^carillon-mcp: There are no credentials\. [^\n]+\n$/)]);
});

it('a port that is in use is one sentence', async () => {
  const other = await serve({ fetch: async () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { code, output } = await start('--sandbox', '--no-token', '--port', new URL(other.url).port);
  expect([code, output]).toEqual([1, expect.stringMatching(/^carillon-mcp: [^\n]*--port[^\n]*\n$/)]);
});
