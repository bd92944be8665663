import { once } from 'node:events';
import type { ServerContext } from '@modelcontextprotocol/server';

/** Time between two notifications while a person thinks. */
const tickMilliseconds = 10_000;

/** Resolves when a signal of a request aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Ends the waiting of a request at its time limit, or if the client cancels it. */
export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number, cancelled: AbortSignal) {
    const limit = new AbortController();
    this.#timer = setTimeout(() => limit.abort(new Error('The time limit of the request has passed')), milliseconds);
    this.#timer.unref();
    this.signal = AbortSignal.any([limit.signal, cancelled]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Notifies the client of progress, if it asked for that. */
export class Progress {
  readonly #mcpReq: ServerContext['mcpReq'];
  #shown = 0;
  #isOver = false;

  constructor(mcpReq: ServerContext['mcpReq']) {
    this.#mcpReq = mcpReq;
  }

  /** Waits for a person's answer. Resolves to whether it came before a signal. */
  async during(answer: Promise<unknown>, until: AbortSignal): Promise<boolean> {
    // The protocol wants numbers that grow. These stay below that of the first call.
    const timer = setInterval(
      () => this.show(this.#shown + 0.001, undefined, 'Waiting for the person to answer'),
      tickMilliseconds,
    );
    timer.unref();
    try {
      return await Promise.race([answer.then(() => true), aborted(until).then(() => false)]);
    } finally {
      clearInterval(timer);
    }
  }

  /** The request is over: calls that go on show no progress to it. */
  end(): void {
    this.#isOver = true;
  }

  /** @param done - number of calls that were made */
  show(done: number, total: number | undefined, message: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.#isOver) return;
    this.#shown = done;
    const params = { progressToken, progress: done, ...(total !== undefined && { total }), message };
    // A client that is gone needs no progress.
    this.#mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
