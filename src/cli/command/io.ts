import type { ProgressOutput } from '../../shared/progress-line.ts';
import type { Connection, ConnectOptions } from '../catalogue/connect.ts';
import type { ProgramName } from './start-program.ts';

/** The environment of the command. Tests pass their own environment. */
export interface Io {
  /** Environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. Resolves when more can be written, so that output does not accumulate in memory. */
  write(text: string): Promise<void> | void;
  /** Resolves when everything has been written to standard output. */
  flush?(): Promise<void>;
  /** Writes to standard error. */
  note(text: string): void;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
  /** Streams standard input. */
  openInput(): AsyncIterable<Buffer>;
  /** Streams a file. */
  openFile(path: string): AsyncIterable<Buffer>;
  /**
   * Reads a file that a person named in a flag.
   *
   * @throws `UsageError` if the path leads to a device, a folder or a pipe
   */
  readFile(path: string): Promise<Uint8Array>;
  /** Whether the path leads to a file. Does not open the file. */
  isFile(path: string): boolean;
  /** Asks a question on the terminal. If `hidden` is `true`, the terminal does not show the answer. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Whether standard output, standard error and standard input are terminals. */
  isTerminal: { output: boolean; error: boolean; input: boolean };
  /** Width of the terminal in characters, if standard output is a terminal. */
  columns?: number | undefined;
  /** Connects to the service or to an embedded sandbox (default: `connect` from the catalogue). */
  connect?(options: ConnectOptions): Promise<Connection>;
  /** Runs another command of the package with the given profile. Resolves to its exit code. */
  start(program: ProgramName, args: readonly string[], profile?: string): Promise<number>;
  /** Resolves to another command's help. */
  helpOf(program: ProgramName, args: readonly string[]): Promise<string>;
  /** Version of the package. */
  version?(): string;
  /** Aborts after Ctrl+C, and when the reader of the output closes the pipe. */
  signal: AbortSignal;
}

/** Reason for the abort when the reader closes standard output. */
export const outputClosed = new Error('The output was closed.');

/** Standard error, for progress. */
export function noteOutput(io: Io): ProgressOutput {
  return { write: (text) => io.note(text), isTTY: io.isTerminal.error, columns: io.columns };
}
