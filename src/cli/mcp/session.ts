import { QuestionQueue } from './question-queue.ts';

/** State of a session: one connection, or all requests without a session. */
export interface Session {
  /** Number of consecutive times that the person declined, by method. */
  readonly declines: Map<string, number>;
  /** Number of people that calls concerned since the last question about the method, by method. */
  readonly unasked: Map<string, number>;
  /** The questions of the session. */
  readonly queue: QuestionQueue;
  /** Answers that did not come in time, by the call that asked. A repeated call waits for them. */
  readonly open: Map<string, OpenQuestion>;
  /**
   * Whether it has the requests of all agents without a session. Each question stands alone, and a set that was cut off is told
   * only to its handle. The people of small calls count together.
   */
  readonly isShared: boolean;
}

/** A question that waits for its answer, or whose answer waits for a call. */
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
