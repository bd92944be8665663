import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { writeFailure } from '../../../src/cli/mcp/failure.ts';
import { type McpFlags, type McpOptions, mcpCommand, readMcpOptions } from '../../../src/cli/mcp/options.ts';
import { ConnectionError } from '../../../src/client/core/errors/local-errors.ts';
import { parseCommand } from '../../../src/shared/command-line.ts';

function parseMcpOptions(args: string[]): McpOptions {
  return readMcpOptions(parseCommand<McpFlags>(mcpCommand('carillon-mcp'), args)?.options ?? {});
}

const guide = readFileSync(new URL('../../../docs/guides/agents.md', import.meta.url), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);

/** Options of each command line of the server. */
const lines = blocks('sh')
  .flatMap((block) => block.trim().split('\n'))
  .flatMap((line) => /carillon-mcp(.*?)(?:#| --method|$)/.exec(line)?.[1] ?? []);

it('the server accepts every command line of the guide', () => {
  const parsed = lines.map((line) => parseMcpOptions(line.replaceAll("'", '').split(' ').filter(Boolean)));
  expect(parsed.map(({ http, sandbox, readOnly, allow }) => ({ http, sandbox, readOnly, allow }))).toEqual([
    { http: false, sandbox: true, readOnly: false, allow: [] },
    { http: false, sandbox: true, readOnly: false, allow: [] },
    { http: true, sandbox: false, readOnly: false, allow: [] },
    { http: false, sandbox: true, readOnly: false, allow: [] },
    { http: false, sandbox: false, readOnly: true, allow: [] },
    { http: false, sandbox: false, readOnly: false, allow: ['crm.deals.*', 'crm.contacts.list'] },
  ]);
  const [config = ''] = blocks('json');
  const { args } = JSON.parse(config).mcpServers.carillon;
  expect(parseMcpOptions(args.slice(args.indexOf('carillon-mcp') + 1)).sandbox).toBe(true);
});

it('the table of tools has a row for each effect of a method', () => {
  const effects = new Set(methods.map(({ effect }) => effect));
  for (const effect of effects) expect(guide).toContain(`| \`${effect}\` | `);
});

it('the guide shows the failure as the agent reads it', () => {
  const method = methods.find(({ name }) => name === 'crm.deals.create');
  if (!method) throw new Error('crm.deals.create');
  const error = new ConnectionError('createDeal (POST /deals): the connection was lost', 'maybe');
  expect(blocks('text')).toContain(`${writeFailure(method, error)}\n`);
});
