/**
 * Agents of the built command, in a process as applications start it: only there does it have standard input and output of its own,
 * signals and an exit code.
 */
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { createAgent, type Version, versions, yes } from './connect.ts';
import { command, startMcpServer } from './http-server.ts';

const deletion = { name: 'delete', arguments: { method: 'crm.contacts.delete', params: { contactId: 3001 } } };

it.each(Object.keys(versions) as Version[])(
  'over standard input and output, a client of %s calls methods, and the server asks the person',
  async (version) => {
    const client = createAgent(version, yes);
    const args = [command, '--sandbox'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    onTestFinished(() => client.close());
    let deep: unknown = 1;
    for (let depth = 0; depth < 3_000; depth += 1) deep = { a: deep };
    const write = { method: 'crm.deals.create', params: { name: deep } };
    expect(await client.callTool({ name: 'write', arguments: write })).toMatchObject({
      content: [{ text: expect.stringContaining('nested more than 32 levels deep. Nothing was sent.') }],
    });
    expect(await client.callTool(deletion)).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
    const { isError, content } = await client.callTool(deletion);
    expect([isError, content]).toEqual([true, [expect.objectContaining({ text: expect.stringContaining('404') })]]);
  },
);

it('exits with 3 without credentials, and says what to do', async () => {
  const child = spawn(process.execPath, [command], { env: { HOME: '/nonexistent' } });
  const errors: string[] = [];
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  expect(await event(child, 'close')).toEqual([3, null]);
  expect(errors.join('')).toMatch(
    /^carillon-mcp: There are no credentials\. Set CARILLON_BASE_URL .* or use --sandbox\.\n$/,
  );
});

it('over HTTP, a client calls methods, the server asks the person, and a signal ends it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, close } = await startMcpServer(folder);
  const token = readFileSync(join(folder, 'carillon', 'mcp-token'), 'utf8').trim();
  const client = createAgent('2026-07-28', yes);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  expect(await client.callTool(deletion)).toMatchObject({ content: [{ text: expect.stringContaining('done') }] });
  expect(await client.callTool(deletion)).toMatchObject({ isError: true });
  await client.close();
  expect(await close()).toEqual([0, null]);
});
