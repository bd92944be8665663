import { QuestionQueue } from './question-queue.ts';

/** State shared by the requests of one connection, or by all requests that have no session ID. */
export interface Session {
  /** Number of consecutive times that the person declined, by method. */
  readonly declines: Map<string, number>;
  /** Number of people that calls affected since the last question about the method, by method. */
  readonly unasked: Map<string, number>;
  /** The questions of the session. */
  readonly queue: QuestionQueue;
  /** Questions that were not answered in time, keyed by the call that asked. A repeated call waits for the answer. */
  readonly open: Map<string, OpenQuestion>;
  /**
   * Whether this state is shared by all agents that have no session. If so, questions do not wait for each other, an interrupted
   * set is reported only to a caller with its handle, and the recipients of small calls are counted together.
   */
  readonly isShared: boolean;
}

/** A question that has no answer yet, or whose answer no call has used yet. */
export interface OpenQuestion {
  readonly id: string;
  readonly answer: Promise<unknown>;
  /** Number of requests that wait for the answer. */
  waiting: number;
}

export function createSession(): Session {
  return {
    declines: new Map(),
    unasked: new Map(),
    queue: new QuestionQueue(),
    open: new Map(),
    isShared: false,
  };
}
