import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

/** The sandbox behind the page, and everything that the page's bar does with it. */
export class PageSandbox {
  readonly #api: string;
  #sandbox: Sandbox = createSandbox();
  /** Called after every request and every change from the bar, with what there is to tell. */
  onChange: (change: Change) => void = () => {};

  /** @param api - address whose requests it answers */
  constructor(api: string) {
    this.#api = api;
  }

  get requests(): Sandbox['requests'] {
    return this.#sandbox.requests;
  }

  now(): number {
    return this.#sandbox.clock.now();
  }

  /** Takes the place of the page's `fetch`: the sandbox answers, and nothing is ever sent. */
  readonly fetch = async (input: Request | string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${this.#api}/`)) {
      const { origin } = new URL(request.url);
      this.onChange({ kind: 'not sent', origin });
      throw new TypeError(`This page sends nothing to ${origin}: its sandbox answers for ${this.#api} only`);
    }
    try {
      const response = await this.#sandbox.fetch(request);
      // A response of `fetch` tells where it comes from; one that a script makes does not.
      return Object.defineProperty(response, 'url', { value: request.url });
    } finally {
      this.onChange({ kind: 'answered' });
    }
  };

  /** Everything anew, as after a reload: data, clock and list of requests. */
  reset(): void {
    this.#sandbox = createSandbox();
    this.onChange({ kind: 'reset' });
  }

  /** @param milliseconds - how far the clock is put forward */
  advance(milliseconds: number): void {
    this.#sandbox.clock.advance(milliseconds);
    this.onChange({ kind: 'clock' });
  }
}

export type Change = { kind: 'answered' | 'reset' | 'clock' } | { kind: 'not sent'; origin: string };
