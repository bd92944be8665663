import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';
import { listPrograms, runProgram } from '../built.ts';
import { type Help, parseHelp } from './help.ts';

/** The compared part of a JSON schema. */
export interface InputSchema {
  [key: string]: unknown;
  type?: unknown;
  enum?: unknown[] | undefined;
  properties?: Record<string, InputSchema> | undefined;
  items?: InputSchema | undefined;
  required?: string[] | undefined;
}

const inputSchema: z.ZodType<InputSchema> = z.looseObject({
  type: z.unknown(),
  enum: z.array(z.unknown()).optional(),
  properties: z
    .record(
      z.string(),
      z.lazy(() => inputSchema),
    )
    .optional(),
  items: z.lazy(() => inputSchema).optional(),
  required: z.array(z.string()).optional(),
});

const tool = z.object({
  name: z.string(),
  description: z.string().default(''),
  inputSchema,
  annotations: z.record(z.string(), z.unknown()).default({}),
});

/** A tool of the MCP server. */
export type Tool = z.infer<typeof tool>;

/** The interface of a release for people, scripts and agents, apart from its modules. */
export interface Commands {
  /** Command line without options → its help. */
  helps: Record<string, Help>;
  /** `export-contacts --detail` → accepted values. */
  jobValues: Record<string, string[]>;
  tools: Tool[];
  /** Tokens of the instructions and the tool list, which every conversation pays for. */
  tokens: number;
  /** `llms.txt` without the content of the other parts. */
  llms: { methods: string[]; links: string[]; characters: number };
}

/** Number of programs that run in parallel. */
const atOnce = 3;

/** Asks the built commands of a release. */
export async function collectCommands(release: string): Promise<Commands> {
  const programs = listPrograms(release);
  const helps: Commands['helps'] = {};
  // Runs one level at a time, because a command's help names its subcommands.
  let level = [...programs.keys()].map((name) => [name]);
  while (level.length > 0) {
    const found = await inParallel(level, (words) => readHelp(programs, words));
    level = found.flatMap(([words, help]) => {
      helps[words.join(' ')] = help;
      // Programs of their own are already in the list.
      const own = help.commands.filter((name) => !programs.has(`${words.join(' ')}-${name}`));
      return own.map((name) => [...words, name]);
    });
  }
  const [tools, tokens] = await listTools(requireProgram(programs, 'carillon-mcp'));
  return {
    helps: Object.fromEntries(Object.entries(helps).sort(([one], [other]) => (one < other ? -1 : 1))),
    jobValues: await readJobValues(requireProgram(programs, 'carillon-jobs'), helps),
    tools,
    tokens,
    llms: readLlms(readFileSync(join(release, 'generated', 'llms.txt'), 'utf8')),
  };
}

async function readHelp(
  programs: ReadonlyMap<string, string>,
  words: string[],
): Promise<[words: string[], help: Help]> {
  const [name = '', ...rest] = words;
  const { code, stdout, stderr } = await runProgram(requireProgram(programs, name), [...rest, '--help']);
  const line = words.join(' ');
  if (code !== 0) throw new Error(`${line} --help ended with ${code}: ${stderr}`);
  const help = parseHelp(stdout);
  // A command without a help of its own prints that of its parent, whose list contains the command again.
  const isOwn = /^Usage: (.*)$/m.exec(stdout)?.[1]?.startsWith(line);
  return [words, isOwn ? help : { ...help, commands: [] }];
}

/** Options of ready-made jobs whose accepted values differ between jobs. */
const listed = ['--detail'];

/** The values that options of ready-made jobs accept, read from the refusal of another value. */
async function readJobValues(program: string, helps: Commands['helps']): Promise<Commands['jobValues']> {
  const run = helps['carillon-jobs run'];
  const values: Commands['jobValues'] = {};
  for (const term of Object.keys(run?.blocks.Jobs ?? {})) {
    const [job = ''] = term.split(' ');
    for (const name of Object.keys(run?.flags ?? {})) {
      if (!listed.includes(name)) continue;
      const { stderr } = await runProgram(program, ['run', job, 'rows.csv', name, '?']);
      const [, accepted] = /must be one of (.*), not/.exec(stderr) ?? [];
      if (accepted !== undefined) values[`${job} ${name}`] = accepted.split(', ');
    }
  }
  return values;
}

/** All tools, with every option that adds some, as an MCP client gets them. */
async function listTools(program: string): Promise<[tools: Tool[], tokens: number]> {
  const client = new Client({ name: 'release-check', version: '1' });
  const args = [program, '--sandbox', '--run-all'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const tokens = countTokens(client.getInstructions() ?? '') + countTokens(JSON.stringify(tools));
    return [z.array(tool).parse(tools), tokens];
  } finally {
    await client.close();
  }
}

export function readLlms(text: string): Commands['llms'] {
  return {
    methods: [...text.matchAll(/^- `([\w.]+)` \(/gm)].map(([, name = '']) => name),
    links: [...text.matchAll(/^- \[[^\]]*\]\(([^)]+)\)/gm)].map(([, address = '']) => address),
    characters: text.length,
  };
}

function requireProgram(programs: ReadonlyMap<string, string>, name: string): string {
  const file = programs.get(name);
  if (file === undefined) throw new Error(`No package of this release has the command ${name}.`);
  return file;
}

async function inParallel<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
