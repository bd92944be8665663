import { type ChildProcess, spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxTokens } from '../../../src/cli/mcp/result.ts';
import { createAgent, type Version, versions, yes } from './connect.ts';

const command = 'src/cli/dist/bin/carillon-mcp.js';
const key = 'key-QmVsbHMgYW5kIHdoaXN0bGVz-0042';
const echoes = [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')];

/** Repeats the key of each request in a long text. Deal 7 is nested deeper than any real reply. */
const service = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url?.includes('/deals/7')) {
    response.end(`{"success":true,"data":${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}}`);
    return;
  }
  const html = Array.from({ length: 400 }, (_, at) => 'word '.repeat(at % 50) + echoes[at % 3]).join(' ');
  response.end(JSON.stringify({ success: true, data: { id: 1, name: html } }));
});
const folder = mkdtempSync(join(tmpdir(), 'carillon-attacks-'));
let baseUrl = '';

beforeAll(async () => {
  await event(service.listen(0, '127.0.0.1'), 'listening');
  const address = service.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

const transports = ['stdio', 'HTTP'] as const;
const cases = transports.flatMap((transport) =>
  (Object.keys(versions) as Version[]).map((version) => [transport, version] as const),
);

describe.each(cases)('over %s, with a client of %s,', (transport, version) => {
  let client: Client;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    client = createAgent(version, yes);
    const env = { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: key, XDG_CONFIG_HOME: folder, HOME: folder };
    if (transport === 'stdio') {
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, '--run-all'], env }));
      return;
    }
    const tokenFile = join(folder, `token-${version}`);
    const args = [command, '--http', '--port', '0', '--run-all', '--token-file', tokenFile];
    child = spawn(process.execPath, args, { env });
    const [chunk] = await event(child.stderr ?? child, 'data');
    const url = new URL(/http:\S+/.exec(String(chunk))?.[0] ?? '');
    const requestInit = { headers: { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  });
  afterAll(async () => {
    await client.close();
    child?.kill();
  });

  async function call(name: string, input: Record<string, unknown>): Promise<string> {
    const { content } = await client.callTool({ name, arguments: input });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
    for (const echo of echoes) expect(text).not.toContain(echo);
    return text;
  }
  const run = (program: string): Promise<string> => call('run', { program });

  it('refuses deep parameters from tools and programs', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 3_000; depth += 1) deep = { a: deep };
    const refusal = 'the parameters are nested more than 32 levels deep. Nothing was sent.';
    expect(await call('write', { method: 'crm.deals.create', params: { name: deep } })).toContain(refusal);
    const program = (depth: number) => `let deep = 1; for (let i = 0; i < ${depth}; i += 1) deep = { a: deep };
      return await call('crm.deals.create', { name: deep }).catch(({ message }) => message);`;
    const returned = (depth: number) => program(depth).replace('await call', 'deep || call');
    expect(await run(program(5_000))).toContain(refusal);
    expect(await run(returned(5_000))).toContain('The result is nested too deep');
    // QuickJS cannot write JSON this deep.
    for (const text of [program(100_000), returned(100_000)])
      expect(await run(text)).toContain('The program failed. Calls: none.');
    expect(await call('read', { method: 'crm.deals.get', params: { dealId: 1 }, fields: ['id'] })).toContain('"id":1');
  });

  it('reports a deep reply as a failure, and keeps running', async () => {
    expect(await call('read', { method: 'crm.deals.get', params: { dealId: 7 } })).toContain('nested more than 100');
    expect(await run("return await call('crm.deals.get', { dealId: 7 })")).toContain('nested more than 100');
  });

  it('hides the repeated key, even across the start of a result', async () => {
    for (const from of [0, 1, 17, 40, 300, 1_001])
      expect(await call('read', { method: 'crm.deals.get', params: { dealId: 1 }, fields: ['name'], from })).toContain(
        '[hidden]',
      );
    expect(await run("return (await call('crm.deals.get', { dealId: 1 })).name.slice(3, 2000)")).toContain('[hidden]');
  });

  it('shortens failures', async () => {
    const name = 'x'.repeat(100_000);
    await call('read', { method: name });
    await call('read', { method: 'crm.deals.get', params: { [name]: name, dealId: name } });
    await run(`throw new Error('y '.repeat(400000))`);
  });

  it('limits the total memory of a program', async () => {
    const text = await run(`const blocks = [];
      try { for (;;) blocks.push(new Uint8Array(1024 * 1024).fill(1)); } catch { const { length } = blocks; blocks.length = 0; return { length }; }`);
    const [, length] = /"length":(\d+)/.exec(text) ?? [];
    expect(Number(length)).toBeGreaterThan(20);
    expect(Number(length)).toBeLessThan(64);
  });

  it('refuses calls beyond the limit, and settles them all', async () => {
    const text = await run(`const calls = Array.from({ length: 230 }, () => call('crm.deals.get', { dealId: 'x' }));
      const all = await Promise.allSettled(calls);
      return all.filter(({ reason }) => reason.message.includes('at most 200 calls')).length;`);
    expect(text).toMatch(/<data \w+>\n30\n/);
  });
});
