import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runMcp } from '../../../src/cli/mcp/command.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { createAgent, type Version, versions, yes } from './connect.ts';

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

const deletion = { name: 'delete', arguments: { method: 'crm.contacts.delete', params: { contactId: 3001 } } };

it.each(Object.keys(versions) as Version[])(
  'serves agents of %s that have its token, and no others, until a signal stops it',
  async (version) => {
    const file = tokenPath();
    const { code, output, url } = await start('--sandbox', '--token-file', file);
    expect(code).toBe(0);
    expect(output).toContain(`with the token in ${file}.\n`);
    const token = readFileSync(file, 'utf8').trim();
    expect(output).not.toContain(token);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    const client = createAgent(version, yes);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: 'read', arguments: { method: 'crm.users.list' } });
    expect(JSON.stringify(content)).toContain('items 0 to 1 of 2');
    expect(await client.callTool(deletion)).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
    expect(await client.callTool(deletion)).toMatchObject({ isError: true });
  },
);

it('rejects foreign hosts and origins, and no page can read a response', async () => {
  const { url } = await start('--sandbox', '--no-token');
  const { host } = new URL(url);
  expect(await post(url, { host: 'evil.example.com' })).toMatchObject({ status: 403 });
  expect(await post(url, { host: `evil.example.com:${host.split(':')[1]}` })).toMatchObject({ status: 403 });
  expect(await post(url, { host, origin: 'https://evil.example.com' })).toMatchObject({ status: 403 });
  expect(await post(url, { host, origin: 'http://localhost:1' })).toMatchObject({ status: 403 });
  expect(await post(url, { host, origin: 'null' })).toMatchObject({ status: 403 });
  expect(
    await post(url, { host, origin: 'https://evil.example.com', 'access-control-request-method': 'POST' }, 'OPTIONS'),
  ).toMatchObject({
    status: 403,
    headers: expect.not.objectContaining({ 'access-control-allow-origin': expect.anything() }),
  });
  const own = await post(url, { host, origin: `http://${host}` });
  expect(own.status).toBe(200);
  expect(own.headers).not.toHaveProperty('access-control-allow-origin');
});

/** Sends a request with headers that `fetch` does not let programs set. */
function post(url: string, headers: Record<string, string>, method = 'POST') {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
  });
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Promise<{ status: number | undefined; headers: object }>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...accept, ...headers } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    sent.on('error', reject).end(method === 'POST' ? body : undefined);
  });
}

it('does not accept an address that other machines can reach', async () => {
  const { code } = await start('--sandbox', '--host', '0.0.0.0');
  expect(code).toBe(2);
});

it('says so if every program of the machine can use it', async () => {
  const { output } = await start('--sandbox', '--no-token');
  expect(output).toContain('Every program on this machine can use the server.\nCalls go to ');
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
