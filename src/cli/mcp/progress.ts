import type { ServerContext } from '@modelcontextprotocol/server';

/** Time between two notifications while a person thinks. */
const tickMilliseconds = 10_000;

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

/** Notifies a client that asked for it of the progress of its request. */
export class Progress {
  readonly #mcpReq: ServerContext['mcpReq'];
  #shown = 0;
  #isOver = false;

  constructor(mcpReq: ServerContext['mcpReq']) {
    this.#mcpReq = mcpReq;
  }

  /** Shows the number of calls that were made. */
  show(done: number, total: number, message: string): void {
    this.#notify(done, total, message);
  }

  /** Waits for a person's answer. Resolves to whether it came before a signal. */
  async during(answer: Promise<unknown>, until: AbortSignal | undefined): Promise<boolean> {
    // The protocol wants numbers that grow. These stay below that of the first call.
    const timer = setInterval(
      () => this.#notify(this.#shown + 0.001, undefined, 'Waiting for the answer of the person'),
      tickMilliseconds,
    );
    timer.unref();
    let stop = (): void => undefined;
    const stopped = new Promise<false>((resolve) => {
      stop = () => resolve(false);
    });
    if (until?.aborted) stop();
    until?.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([answer.then(() => true), stopped]);
    } finally {
      clearInterval(timer);
      until?.removeEventListener('abort', stop);
    }
  }

  /** The request is over: calls that go on show no progress to it. */
  end(): void {
    this.#isOver = true;
  }

  #notify(progress: number, total: number | undefined, message: string): void {
    const progressToken = this.#mcpReq._meta?.progressToken;
    if (progressToken === undefined || this.#isOver) return;
    this.#shown = progress;
    const params = { progressToken, progress, ...(total !== undefined && { total }), message };
    // A client that is gone needs no progress.
    this.#mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
