import { once } from 'node:events';
import type { ServerContext } from '@modelcontextprotocol/server';

/** Number of milliseconds between two notifications while a question is open. */
const tickMilliseconds = 10_000;

/** Resolves when the signal of a request aborts. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A signal that aborts at the time limit of a request, or if the client cancels the request. */
export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number, cancelled: AbortSignal) {
    const limit = new AbortController();
    this.#timer = setTimeout(() => limit.abort(new Error('The request reached its time limit')), milliseconds);
    this.#timer.unref();
    this.signal = AbortSignal.any([limit.signal, cancelled]);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Notifies the client of progress, if the client asked for notifications. */
export class Progress {
  readonly #mcpReq: ServerContext['mcpReq'];
  #shown = 0;
  #isOver = false;

  constructor(mcpReq: ServerContext['mcpReq']) {
    this.#mcpReq = mcpReq;
  }

  /** Waits for a person's answer. Resolves to whether the answer came before the signal aborted. */
  async during(answer: Promise<unknown>, until: AbortSignal): Promise<boolean> {
    // The protocol requires increasing numbers. These numbers stay below the number of the first call.
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

  /** Ends the notifications, because the request is over. Calls that continue no longer show progress. */
  end(): void {
    this.#isOver = true;
  }

  /** @param done - number of calls that were made */
  show(done: number, total: number | undefined, message: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.#isOver) return;
    this.#shown = done;
    const params = { progressToken, progress: done, ...(total !== undefined && { total }), message };
    // A client that has disconnected needs no progress.
    this.#mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
