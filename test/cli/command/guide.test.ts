import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import type { Connection, ConnectOptions } from '../../../src/cli/catalogue/index.ts';
import { exitCodes, exitTexts } from '../../../src/cli/command/exit-codes.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { readFixtures } from '../../support/snippets.ts';
import { carillon, shellWords } from '../../support/terminal.ts';

const page = 'docs/guides/terminal.md';
const text = readFileSync(join(repositoryRoot, page), 'utf8');
const files = Object.fromEntries(readFixtures(page).map(({ name, content }) => [name, content]));

/** Each command block of the guide with the output shown below it. */
const blocks = [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n```text( errors)?\n(.*?)^```$)?/gms)].map(
  ([, code = '', stream, shown]) => ({ lines: code.trim().split('\n'), stream, shown }),
);

const baseUrl = 'https://api.example.com';
const env = { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'any' };
const { fetch } = createSandbox();

/** A sandbox stands in for the service of the guide. */
async function connect({ sandbox = false, options }: ConnectOptions): Promise<Connection> {
  return { ...connectionTo({ ...options, baseUrl, auth: { apiKey: 'any' }, fetch }), isSandbox: sandbox };
}

it.each(blocks.filter(({ shown }) => shown !== undefined))('$lines prints the output in the guide', async (block) => {
  const { lines, stream, shown = '' } = block;
  const [command, ...args] = shellWords(lines.at(-1)?.replace(/ > \S+$/, '') ?? '');
  expect(command).toBe('carillon');
  const ran = await carillon(args, { env, connect, files, isTerminal: false });
  const printed = (stream ? ran.errors : ran.output).replaceAll('\r\n', '\n');
  // The guide shortens the results of a search.
  if (args[0] === 'search') expect(printed.startsWith(shown)).toBe(true);
  else expect(printed).toBe(shown);
  expect(ran.code).toBe(stream ? exitCodes.notFound : 0);
});

it('every command and flag in the guide exists', async () => {
  const commands = blocks.flatMap(({ lines }) => lines).filter((line) => /^carillon (?!completion|login)/.test(line));
  expect(commands.length).toBeGreaterThan(7);
  for (const line of commands) {
    const ran = await carillon([...shellWords(line.replace(/ [<>] \S+$/, '')).slice(1), '--help'], { env, connect });
    expect([line, ran.code, ran.errors]).toEqual([line, 0, '']);
  }
});

it('the reference lists every exit code with its meaning', () => {
  const reference = readFileSync(join(repositoryRoot, 'docs/guides/terminal-reference.md'), 'utf8');
  const rows = Object.entries(exitCodes).map(([kind, code]) => `| ${code} | ${Reflect.get(exitTexts, kind)} |`);
  expect(reference).toContain(rows.join('\n'));
});
