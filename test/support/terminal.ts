import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { connect } from '../../src/cli/catalogue/connect.ts';
import { runCli } from '../../src/cli/command/cli.ts';
import type { Io } from '../../src/cli/command/io.ts';

/** The output and exit code of a run. */
export interface Ran {
  code: number;
  output: string;
  errors: string;
}

/**
 * Surroundings that differ from the default, a script without credentials: no terminal, an empty environment, no input.
 */
export interface Surroundings extends Partial<Omit<Io, 'isTerminal'>> {
  /** Whether all streams, or which of them, are terminals. */
  isTerminal?: boolean | Partial<Io['isTerminal']>;
  /** A person's answers to the questions, in order. */
  answers?: string[];
  input?: string;
  files?: Record<string, string | Uint8Array>;
}

/** Runs `carillon` in this process. */
export async function carillon(args: readonly string[], surroundings: Surroundings = {}): Promise<Ran> {
  const { isTerminal = false, answers = [], input = '', files = {}, ...own } = surroundings;
  let output = '';
  let errors = '';
  const code = await runCli(args, {
    env: { CARILLON_CREDENTIALS: '/nowhere/credentials.json' },
    signal: new AbortController().signal,
    isTerminal:
      typeof isTerminal === 'boolean'
        ? { output: isTerminal, error: isTerminal, input: isTerminal }
        : { output: false, error: false, input: false, ...isTerminal },
    write: (text) => {
      output += text;
    },
    note: (text) => {
      errors += text;
    },
    readInput: async () => input,
    openInput: async function* () {
      yield Buffer.from(input);
    },
    openFile: (path) => {
      const text = files[path];
      return text === undefined ? createReadStream(path) : Readable.from([Buffer.from(text)]);
    },
    readFile: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`There is no ${path}`);
      return typeof text === 'string' ? new TextEncoder().encode(text) : text;
    },
    isFile: (path) => files[path] !== undefined,
    ask: async (question) => {
      errors += question;
      return answers.shift() ?? '';
    },
    connect,
    start: async (program) => {
      errors += `started ${program}\n`;
      return 0;
    },
    helpOf: async () => '',
    ...own,
  });
  return { code, output, errors };
}

/** Splits a command line into words like a shell, with quotes and line continuations. */
export function shellWords(line: string): string[] {
  const words = line.replaceAll('\\\n', ' ').match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\(')/g, (_, quoted = '', single = '') => quoted + single));
}
