import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAgent, type Version, versions, yes } from './connect.ts';

const command = 'src/cli/dist/bin/carillon-mcp.js';
const deletion = { name: 'delete', arguments: { method: 'crm.contacts.delete', params: { contactId: 3001 } } };
/** Holds the command's token. */
const folder = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
const tokenFile = join(folder, 'carillon', 'mcp-token');
afterAll(() => rmSync(folder, { recursive: true }));
const bothVersions = Object.keys(versions) as Version[];

describe('over standard input and output', () => {
  it.each(bothVersions)('a client of %s calls methods, and the server asks the person', async (version) => {
    const client = createAgent(version, yes);
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, '--sandbox'] }));
    onTestFinished(() => client.close());
    expect(await client.callTool(deletion)).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
    const { isError, content } = await client.callTool(deletion);
    expect([isError, content]).toEqual([true, [expect.objectContaining({ text: expect.stringContaining('404') })]]);
  });

  it('runs a program in the built worker', async () => {
    const client = createAgent('2026-07-28');
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [command, '--sandbox', '--run'] }),
    );
    onTestFinished(() => client.close());
    const program = "return (await call('crm.contacts.list')).data.length";
    expect(await client.callTool({ name: 'run', arguments: { program } })).toMatchObject({
      content: [{ text: expect.stringMatching(/^The program ended\..*\n.*\n<data \w+>\n2\n/) }],
    });
  });

  it('exits with 3 without credentials, and says what to do', async () => {
    const child = spawn(process.execPath, [command], { env: { HOME: '/nonexistent' } });
    const errors: string[] = [];
    child.stderr.on('data', (chunk) => errors.push(String(chunk)));
    expect(await event(child, 'close')).toEqual([3, null]);
    expect(errors.join('')).toMatch(
      /^carillon-mcp: There are no credentials\. Set CARILLON_BASE_URL .* or use --sandbox\.\n$/,
    );
  });
});

describe('over HTTP', async () => {
  it.each(bothVersions)('a client of %s calls methods, and the server asks the person', async (version) => {
    const url = await start();
    const requestInit = { headers: { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` } };
    const client = createAgent(version, yes);
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    expect(await client.callTool(deletion)).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
    expect(await client.callTool(deletion)).toMatchObject({ isError: true });
  });

  it('answers no request without the token, unless started without one', async () => {
    const url = await start();
    expect(await post(url, { host: new URL(url).host })).toMatchObject({ status: 401 });
    const open = await start('--no-token');
    expect(await post(open, { host: new URL(open).host })).toMatchObject({ status: 200 });
  });

  it('refuses foreign hosts and origins, and no page can read a reply', async () => {
    const url = await start('--no-token');
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

  it('refuses an address that other machines can reach', async () => {
    const child = spawn(process.execPath, [command, '--http', '--sandbox', '--host', '0.0.0.0']);
    expect(await event(child, 'close')).toEqual([2, null]);
  });
});

/** Starts the command and returns its address. */
async function start(...options: string[]): Promise<string> {
  const child = spawn(process.execPath, [command, '--http', '--sandbox', '--port', '0', ...options], {
    env: { ...process.env, XDG_CONFIG_HOME: folder },
  });
  onTestFinished(async () => {
    const ended = event(child, 'close');
    child.kill();
    expect(await ended).toEqual([0, null]);
  });
  for await (const chunk of child.stderr) {
    const [url] = /http:\S+/.exec(String(chunk)) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The command ended');
}

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
