import { Desk } from './desk.ts';

/** State of a session: one connection, or all requests of clients that cannot be told apart. */
export interface Session {
  /** Number of consecutive refusals by the person, by method. */
  readonly refusals: Map<string, number>;
  /** Number of people that calls concerned since the last question about the method, by method. */
  readonly unasked: Map<string, number>;
  /** The questions of the session. */
  readonly desk: Desk;
  /** Answers that did not come in time, by the call that asked. A repeated call waits for them. */
  readonly open: Map<string, OpenQuestion>;
  /** Whether several agents may share the session. They do not wait for each other, and do not learn of their calls. */
  readonly isShared: boolean;
  /** Whether requests of another agent may come in this session unnoticed, so that a set that was cut off is told only to its handle. */
  readonly needsHandle: boolean;
}

/** A question that the person has not answered, or whose answer nobody has used. */
export interface OpenQuestion {
  readonly id: string;
  readonly answer: Promise<unknown>;
  /** Number of requests that wait for the answer. */
  waiting: number;
}

export function createSession(): Session {
  return {
    refusals: new Map(),
    unasked: new Map(),
    desk: new Desk(),
    open: new Map(),
    isShared: false,
    needsHandle: false,
  };
}
