/** The messages between a page and its worker. */
import type { StoredChange } from 'carillon-sandbox';

export type ToWorker =
  /** First: the data that an earlier worker has left. */
  | { kind: 'start'; kept: StoredChange[] }
  | { kind: 'run'; code: string }
  /** A request to the control surface of the sandbox. */
  | { kind: 'control'; id: number; url: string; method: string; headers: [string, string][]; body: string };

export type FromWorker =
  | { kind: 'ready' }
  /** The data that was kept cannot be read. */
  | { kind: 'forget' }
  /** Changes of the data, as they are made. */
  | { kind: 'changes'; changes: StoredChange[] }
  | { kind: 'output'; line: OutputLine }
  | { kind: 'finished'; milliseconds: number; error?: ShownError }
  | { kind: 'reply'; id: number; status: number; headers: [string, string][]; body: string };

export interface OutputLine {
  level: 'log' | 'warn' | 'error';
  text: string;
}

/** An error that a sample has thrown. */
export interface ShownError {
  /** Class of the error, such as `NotFoundError`. */
  name: string;
  message: string;
  /** Line of the sample, if it is known. */
  line?: number;
  status?: number;
  /** Error code of the service. */
  code?: string | number;
  /** Advice for the reader. */
  advice?: string;
}
