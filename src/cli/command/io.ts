import type { Connection, ConnectOptions } from '../catalogue/connect.ts';
import type { Program } from './start-program.ts';

/** The surroundings of the command. Tests pass their own. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Resolves when the text can be followed by more, so that output never piles up in memory. */
  write(text: string): Promise<void> | void;
  /** Writes to standard error. */
  note(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Standard input, as it comes. */
  openInput(): AsyncIterable<Buffer>;
  /** A file, as it is read. */
  openFile(path: string): AsyncIterable<Buffer>;
  readFile(path: string): Promise<Uint8Array>;
  /** Asks on the terminal. `hidden`: the terminal does not repeat what is typed. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  /** Whether a person reads standard output, and standard error, and can be asked. */
  isTerminal: { output: boolean; error: boolean; input: boolean };
  /** Characters of a line of the terminal, if the output is one. */
  columns?: number | undefined;
  connect(options: ConnectOptions): Promise<Connection>;
  /** Runs another command of the package with the profile that is named. Resolves to its exit code. */
  start(program: Program, args: readonly string[], profile?: string): Promise<number>;
  /** The help of another command of the package, or an empty text if it is not installed. */
  helpOf(program: Program, args: readonly string[]): Promise<string>;
  /** Version of the package. */
  version?(): string;
  /** Aborts after Ctrl+C, and when the reader of the output has left. */
  signal: AbortSignal;
}
