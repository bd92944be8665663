import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { connect } from '../catalogue/connect.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { outputClosed } from './run.ts';

/**
 * The surroundings of the real command.
 *
 * @param folder - where the commands of the package are
 * @param file - path of this command: the others have the same extension
 */
export function systemIo(folder: string, file: string): Io {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('Interrupted')));
  stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') stop.abort(outputClosed);
    else throw error;
  });
  return {
    env,
    columns: stdout.columns,
    signal: stop.signal,
    isTerminal: { output: stdout.isTTY === true, error: stderr.isTTY === true, input: stdin.isTTY === true },
    async write(text) {
      if (text !== '' && !stdout.write(text)) await once(stdout, 'drain', { signal: stop.signal });
    },
    note: (text) => void stderr.write(text),
    readFile: (path) => readFile(path),
    async readInput() {
      stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of stdin) text += chunk;
      return text;
    },
    ask,
    connect,
    start: (program, args) => startProgram(join(folder, `${program}${extname(file)}`), program, args),
  };
}

async function ask(question: string, { hidden = false } = {}): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (hidden) process.stderr.write(question);
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  try {
    return await Promise.race([
      reader.question(hidden ? '' : question),
      // Ctrl+C and Ctrl+D answer nothing.
      once(reader, 'close').then(() => ''),
      once(reader, 'SIGINT').then(() => ''),
    ]);
  } finally {
    reader.close();
    if (hidden) process.stderr.write('\n');
  }
}

/** Runs another command of the package in its own process, with the same terminal and signals. */
async function startProgram(file: string, program: string, args: readonly string[]): Promise<number> {
  if (!existsSync(file)) {
    process.stderr.write(`carillon: this version of the package has no command carillon-${program}.\n`);
    return exitCodes.configuration;
  }
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl+C to both; other signals are passed on.
  const ignore = (): void => {};
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', pass);
  const [code, signal] = await once(child, 'exit');
  process.off('SIGINT', ignore).off('SIGTERM', pass);
  if (typeof code === 'number') return code;
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.unexpected;
}
