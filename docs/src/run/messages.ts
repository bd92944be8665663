/** The messages between a page and its worker. */
import type { StoredChange } from 'carillon-sandbox';

export type ToWorker =
  /** The first message, with the data of an earlier worker. */
  | { kind: 'start'; kept: StoredChange[] }
  | { kind: 'run'; code: string }
  /** A request to the sandbox's control API. */
  | { kind: 'control'; id: number; url: string; method: string; headers: [string, string][]; body: string };

export type FromWorker =
  | { kind: 'ready' }
  /** The stored data cannot be read. */
  | { kind: 'forget' }
  /** Changes of the data, as they happen. */
  | { kind: 'changes'; changes: StoredChange[] }
  | { kind: 'output'; line: OutputLine }
  | { kind: 'finished'; milliseconds: number; error?: ShownError }
  | { kind: 'response'; id: number; status: number; headers: [string, string][]; body: string };

export interface OutputLine {
  level: 'log' | 'warn' | 'error';
  text: string;
}

/** An error that a sample has thrown. */
export interface ShownError {
  /** Class of the error, such as `NotFoundError`. */
  name: string;
  message: string;
  /** Line in the sample, if known. */
  line?: number;
  status?: number;
  /** Error code of the service. */
  code?: string | number;
  /** Advice for the reader. */
  advice?: string;
}
