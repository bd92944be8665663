import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { shippedPages } from '../../scripts/build/package-pages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { connectionTo } from '../../src/cli/catalogue/connect.ts';
import { findMethod, methods, products } from '../../src/cli/catalogue/index.ts';
import { exitCodes } from '../../src/cli/command/exit-codes.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { carillon, shellWords } from '../support/terminal.ts';
import { connectAgent } from './mcp/connect.ts';

const file = 'src/cli/skills/carillon/SKILL.md';
const text = readFileSync(join(repositoryRoot, file), 'utf8');
const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];

/** Command lines in code blocks and in the text. */
const lines = [
  ...[...body.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, code = '']) => code.trim().split('\n')),
  ...Array.from(body.matchAll(/`(carillon [^`]+)`/g), ([, line = '']) => line),
];

const env = { CARILLON_BASE_URL: 'https://api.example.com', CARILLON_API_KEY: 'any' };

describe('the skill for agents', () => {
  it("has the front matter that agents read: its folder's name and a description", () => {
    const { name, description, ...rest } = parse(front);
    expect(name).toBe(basename(dirname(file)));
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(Object.keys(rest)).toEqual(['license']);
    expect(text.split('\n').length).toBeLessThan(120);
  });

  it('is packaged as SKILL.md in a folder of its name', () => {
    expect(shippedPages['carillon-cli']?.[file]).toBe('skills/carillon/SKILL.md');
  });

  it('names only existing methods, and every method that sends', () => {
    const named = [...body.matchAll(new RegExp(`\\b((?:${products.join('|')})(?:\\.\\w+)+)`, 'g'))].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !findMethod(name))).toEqual([]);
    const [, list = ''] = /^- These methods send: (.*?)\. Show/ms.exec(body) ?? [];
    const sending = [...list.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
    expect(sending.toSorted(), `the methods that send, in ${file}`).toEqual(
      methods.flatMap(({ effect, name }) => (effect === 'send' ? name : [])).toSorted(),
    );
    expect(findMethod('crm.contacts.delete')?.effect).toBe('delete');
    expect(findMethod('crm.deals.list')?.effect).toBe('read');
  });

  it.each(lines)('%s exists with its flags', async (line) => {
    const [command, ...args] = shellWords(line);
    expect(command).toBe('carillon');
    const ran = await carillon([...args, '--help'], { env });
    expect([ran.code, ran.errors]).toEqual([0, '']);
  });

  it('names only flags that the commands have', async () => {
    const flags = new Set(Array.from(body.matchAll(/`(--[\w-]+)`/g), ([, flag = '']) => flag));
    const help = await Promise.all(
      [['crm', 'deals', 'create', '--help'], ['messaging', 'campaigns', 'create', '--help'], ['--help']].map((args) =>
        carillon(args, { env }),
      ),
    );
    const known = help.map(({ output }) => output).join('\n');
    expect(flags).toContain('--yes');
    for (const flag of flags) expect(known).toContain(flag);
  });

  it.each(lines.filter((line) => / --sandbox | --dry-run|^carillon search/.test(line)))(
    '%s works as described',
    async (line) => {
      // Only --dry-run needs credentials.
      const ran = await carillon(shellWords(line).slice(1), {
        env: line.includes('--dry-run') ? env : {},
        isTerminal: false,
      });
      expect([ran.code, ran.errors]).toEqual([0, expect.any(String)]);
      if (line.includes('search')) expect(ran.output).toContain('crm deals comments create');
    },
  );

  it('--dry-run sends nothing', async () => {
    const sandbox = createSandbox();
    const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch };
    const connect = async () => connectionTo(options);
    const line = lines.find((one) => one.includes('--dry-run')) ?? '';
    await carillon(shellWords(line).slice(1), { env, connect });
    expect(sandbox.requests).toEqual([]);
    await carillon(shellWords(line.replace(' --dry-run', '')).slice(1), { env, connect });
    expect(sandbox.requests).toHaveLength(1);
  });

  it('a call that sends exits without a terminal and --yes with the code in the skill', async () => {
    const sandbox = createSandbox();
    const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch };
    const connect = async () => connectionTo(options);
    const words = 'email unsubscribes request-resubscription --email ben.ito@example.com --sender sales@example.com';
    const ran = await carillon(words.split(' '), { env, connect, isTerminal: false });
    expect(ran.code).toBe(exitCodes.unconfirmed);
    expect(sandbox.requests.filter(({ operation }) => operation === 'requestEmailResubscription')).toEqual([]);
    expect(body).toContain(`exits with ${exitCodes.unconfirmed}.`);
    expect(body).toContain(`exits with ${exitCodes.quota}.`);
    for (let count = 0; count < 5; count += 1) await carillon([...words.split(' '), '--yes'], { env, connect });
    expect((await carillon([...words.split(' '), '--yes'], { env, connect })).code).toBe(exitCodes.quota);
  });

  it('names only tools and parameters that the server has', async () => {
    const agent = await connectAgent('2026-07-28');
    const { tools } = await agent.client.listTools();
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    const inTools = ['describe', 'read', 'write', 'delete', 'send'];
    expect([...named.keys()].toSorted()).toEqual(inTools.toSorted());
    for (const name of ['write', 'delete', 'send'])
      expect(JSON.stringify(named.get(name)?.inputSchema)).toContain('"enum":["sandbox","service"]');
    for (const input of [...body.matchAll(/`(\{ "(?:words|methods)".*?\})`/g)].map(([, json = '']) =>
      JSON.parse(json),
    )) {
      const { text: described, isError } = await agent.call('describe', input);
      expect([isError, described]).toEqual([false, expect.stringContaining('crm.deals.comments.create')]);
    }
    await agent.close();
  });
});
