import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

/** The page's sandbox and the actions of the bar. */
export class PageSandbox {
  readonly #api: string;
  #sandbox: Sandbox = createSandbox();
  /** Called after every request and every action of the bar. */
  onChange: (change: Change) => void = () => {};

  /** @param api - address of the API. The sandbox answers requests to it */
  constructor(api: string) {
    this.#api = api;
  }

  get requests(): Sandbox['requests'] {
    return this.#sandbox.requests;
  }

  now(): number {
    return this.#sandbox.clock.now();
  }

  /** Replaces the page's `fetch`. The sandbox answers, and nothing is sent. */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${this.#api}/`)) {
      const { origin } = new URL(request.url);
      this.onChange({ kind: 'not sent', origin });
      throw new TypeError(`This page sends nothing to ${origin}: its sandbox answers for ${this.#api} only`);
    }
    try {
      const response = await this.#sandbox.fetch(request);
      // A response of `fetch` has a URL, but one that a script creates does not.
      return Object.defineProperty(response, 'url', { value: request.url });
    } finally {
      this.onChange({ kind: 'answered' });
    }
  };

  /** Resets data, clock and list of requests, as a reload does. */
  reset(): void {
    this.#sandbox = createSandbox();
    this.onChange({ kind: 'reset' });
  }

  /** @param milliseconds - time to advance the clock by */
  advance(milliseconds: number): void {
    this.#sandbox.clock.advance(milliseconds);
    this.onChange({ kind: 'clock' });
  }
}

export type Change = { kind: 'answered' | 'reset' | 'clock' } | { kind: 'not sent'; origin: string };
