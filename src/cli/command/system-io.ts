import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, fstatSync, readFileSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { UsageError } from '../../shared/command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { type Io, outputClosed } from './io.ts';

/** Creates the environment in which the actual command runs. Modules that few calls need are loaded on demand. */
export function systemIo(): Io {
  const { stdout, env } = process;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('Interrupted')));
  const output = isFile(stdout.fd) ? createWriteStream('', { fd: stdout.fd, autoClose: false }) : stdout;
  output.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') stop.abort(outputClosed);
    else {
      process.stderr.write(`carillon: the output cannot be written: ${error.message}\n`);
      process.exit(exitCodes.unexpected);
    }
  });
  return {
    env,
    // The width is 0 if the terminal reports no size.
    columns: stdout.columns || undefined,
    signal: stop.signal,
    isTerminal: { output: isatty(1), error: isatty(2), input: isatty(0) },
    async write(text) {
      if (text !== '' && !output.write(text)) await once(output, 'drain', { signal: stop.signal });
    },
    flush: () => new Promise((resolve) => output.write('', () => resolve())),
    note: (text) => void process.stderr.write(text),
    openFile: (path) => createReadStream(path),
    readFile: async (path) => readGivenFile(path),
    isFile: (path) => existsSync(path) && statSync(path).isFile(),
    async readInput() {
      const { stdin } = process;
      stdin.setEncoding('utf8');
      let text = '';
      for await (const chunk of stdin) text += chunk;
      return text;
    },
    openInput() {
      // An interrupted command does not wait for further input.
      stop.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
      return process.stdin;
    },
    // Ctrl+C at a question is an interruption, not an answer.
    ask: (question, options) => ask(question, () => stop.abort(new Error('Interrupted')), options),
    start: async (program, args, profile) => (await import('./start-program.ts')).startProgram(program, args, profile),
    helpOf: async (program, args) => (await import('./start-program.ts')).helpOfProgram(program, args),
  };
}

/** Maximum size of a file that a flag names, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a file that the person named in a flag.
 *
 * @throws `UsageError` for a folder, a device or a pipe, because a device or a pipe may never end; a system error if there is
 * no such file
 */
export function readGivenFile(path: string): Uint8Array {
  const found = statSync(path);
  if (!found.isFile()) throw new UsageError(`${path} is not a file. To read from a pipe, use --input -.`);
  if (found.size > maxBytes) throw new UsageError(`${path} is larger than ${maxBytes / 1024 / 1024} MiB.`);
  return readFileSync(path);
}

async function ask(question: string, onInterrupt: () => void, { hidden = false } = {}): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (hidden) process.stderr.write(question);
  const reader = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  let isAnswered = false;
  try {
    return await Promise.race([
      reader.question(hidden ? '' : question).then(
        (answer) => {
          isAnswered = true;
          return answer;
        },
        () => '',
      ),
      // Ctrl+D answers with an empty string.
      once(reader, 'close').then(() => ''),
      once(reader, 'SIGINT').then(() => {
        onInterrupt();
        return '';
      }),
    ]);
  } finally {
    reader.close();
    // The person has not typed a line break.
    if (hidden || !isAnswered) process.stderr.write('\n');
  }
}

/**
 * Whether a descriptor is a file. If standard output is a file, Node writes to it synchronously, so a busy disk would delay
 * the next request.
 */
function isFile(fd: number): boolean {
  return fstatSync(fd).isFile();
}
