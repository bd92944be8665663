import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { readToken, tokenFile } from '../../../src/cli/mcp/http-token.ts';
import { type McpFlags, type McpOptions, mcpCommand, readMcpOptions } from '../../../src/cli/mcp/options.ts';
import { parseCommand } from '../../../src/shared/command-line.ts';

function parseMcpOptions(args: string[]): McpOptions {
  return readMcpOptions(parseCommand<McpFlags>(mcpCommand('carillon-mcp'), args)?.options ?? {});
}

const folder = mkdtempSync(join(tmpdir(), 'carillon-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

const context = await createContext({ sandbox: true, warn() {}, version: '0' });
const token = 'a-token-of-some-length';

/** The first request of a client of each protocol version. */
const messages = {
  '2025-11-25': { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} } },
  '2026-07-28': { method: 'server/discover', params: {} },
};

async function post(version: keyof typeof messages, authorization?: string): Promise<Response> {
  const handler = createHttpHandler(context, token);
  const headers = new Headers({
    host: '127.0.0.1:4013',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-protocol-version': version,
    ...(authorization !== undefined && { authorization }),
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...messages[version] });
  const response = await handler.fetch(new Request('http://127.0.0.1:4013/mcp', { method: 'POST', headers, body }));
  await handler.close();
  return response;
}

describe.each(['2025-11-25', '2026-07-28'] as const)('over HTTP, a client of %s', (version) => {
  it.each([
    ['none', undefined],
    ['another', 'Bearer another-token-of-some-length'],
    ['the beginning of it', `Bearer ${token.slice(0, -1)}`],
    ['it with more', `Bearer ${token}x`],
    ['it without its scheme', token],
    ['it in another scheme', `Basic ${token}`],
  ])('gets 401 and no session with %s instead of the token', async (_, authorization) => {
    const response = await post(version, authorization);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(response.headers.has('mcp-session-id')).toBe(false);
    expect(await response.text()).not.toContain(token);
  });

  it('is admitted with the token', async () => {
    expect((await post(version, `Bearer ${token}`)).status).not.toBe(401);
  });
});

describe('the token file', () => {
  it('is stored beside the credentials with mode 600, and keeps its token', () => {
    const file = tokenFile({ XDG_CONFIG_HOME: folder });
    expect(file).toBe(join(folder, 'carillon', 'mcp-token'));
    const created = readToken(file);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect([created.length, readFileSync(file, 'utf8'), readToken(file)]).toEqual([43, `${created}\n`, created]);
    expect(readToken(join(folder, 'other'))).not.toBe(created);
  });

  it.each([
    ['others can read it', 'a-token-of-some-length', 0o644, 'chmod 600'],
    ['it is empty', '', 0o600, 'has no token of at least 16 characters'],
    ['it can be guessed', 'short', 0o600, 'has no token of at least 16 characters'],
    ['it has several words', 'a token of some length', 0o600, 'has no token of at least 16 characters'],
  ])('is invalid if %s', (what, text, mode, message) => {
    const file = join(folder, what);
    writeFileSync(file, text);
    chmodSync(file, mode);
    expect(() => readToken(file)).toThrow(message);
  });

  it('is an option for HTTP only', () => {
    expect(parseMcpOptions(['--http', '--token-file', 'f']).token).toEqual({ file: 'f' });
    expect(parseMcpOptions(['--http', '--no-token']).token).toBe('none');
    for (const args of [
      ['--token-file', 'f'],
      ['--http', '--no-token', '--token-file', 'f'],
    ])
      expect(() => parseMcpOptions(args)).toThrow('--token-file needs --http, and cannot be combined with --no-token.');
  });
});
