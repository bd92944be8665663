import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { reasonToAsk } from '../../../src/cli/catalogue/needs-consent.ts';
import { amounts } from '../../support/amounts.ts';
import { command, startMcpServer } from './http-server.ts';

const guide = readFileSync(new URL('../../../docs/guides/agents.md', import.meta.url), 'utf8');
const step = amounts.inspectorStep;

/** Runs the inspector's entry in this process, to load it only once. */
let inspector: { runCli(argv: readonly string[]): Promise<void> };
let program = '';
const folder = mkdtempSync(join(tmpdir(), 'carillon-inspector-'));
beforeAll(async () => {
  const nodeModules = inject('tools');
  const entry = join(nodeModules, '@modelcontextprotocol', 'inspector', 'clients', 'cli', 'build', 'index.js');
  inspector = await import(pathToFileURL(entry).href);
  program = join(nodeModules, '.bin', 'mcp-inspector');
});
afterAll(() => rmSync(folder, { recursive: true }));

it("lists the tools with the guide's command, and reports no problems", async () => {
  const [line = ''] = /^npx @modelcontextprotocol\/inspector .*$/m.exec(guide) ?? [];
  const [, ...words] = line.replace(' carillon-mcp ', ` ${process.execPath} ${command} `).split(' ');
  // The inspector starts the server itself.
  const { stdout, stderr } = await promisify(execFile)(program, words.slice(1), {
    env: { ...process.env, HOME: folder },
  });
  const { tools } = JSON.parse(stdout);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['describe', 'read', 'write', 'delete', 'send']);
  expect(stderr).not.toMatch(/warning/i);
});

describe.each([
  ['2025-11-25', 'legacy', 0],
  ['2026-07-28', 'modern', step >> 1],
])('the inspector, speaking %s over HTTP,', (_, era, first) => {
  it('calls methods, and rehearses those that need a person, because it cannot ask', async () => {
    vi.stubEnv('HOME', folder);
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const server = await startMcpServer(folder);
    const call = async (tool: string, input: object) => {
      const output = join(folder, 'result.json');
      const header = `Authorization: Bearer ${readFileSync(join(folder, 'carillon', 'mcp-token'), 'utf8').trim()}`;
      const from = ['--server-url', server.url, '--transport', 'http', '--protocol-era', era, '-q', '--header', header];
      const asked = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input)];
      // Throws if the tool's result is an error.
      await inspector.runCli(['', '', ...from, ...asked, '--output', output]).catch(() => {});
      const { content, isError = false } = JSON.parse(readFileSync(output, 'utf8'));
      return { text: String(content[0].text), isError };
    };
    const failed: string[] = [];
    for (const method of methods.filter((_, at) => at % step === first % step)) {
      const { name, effect, example } = method;
      const needsPerson = reasonToAsk(method, [example]) !== undefined;
      const input = { method: name, params: example, ...(needsPerson && { rehearse: 'sandbox' }) };
      const { text, isError } = await call(effect, input);
      // Some examples refer to records that a new sandbox lacks.
      if (
        !text.replace(/^Only [^\n]*\n/, '').startsWith(needsPerson ? 'Rehearsal' : name) ||
        (isError && !/status 4\d\d/.test(text))
      )
        failed.push(`${name}: ${text}`);
    }
    expect(failed).toEqual([]);
    expect(await call('describe', { words: 'note deal' })).toMatchObject({ isError: false });
    expect(await call('delete', { method: 'crm.contacts.delete', params: { contactId: 3001 } })).toEqual({
      isError: true,
      text: expect.stringContaining('this client cannot ask'),
    });
    await server.close();
  });
});
