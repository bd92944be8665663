import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { IndexedStore } from './indexed-store.ts';

/** The page's sandbox and the actions of the bar. */
export class PageSandbox {
  readonly #api: string;
  readonly #store = new IndexedStore();
  #sandbox: Sandbox = this.#create();
  /** Called after every request, every action of the bar, and every change that the page inside makes. */
  onChange: (change: Change) => void = () => {};

  /** @param api - address of the API. The sandbox answers requests to it */
  constructor(api: string) {
    this.#api = api;
  }

  get requests(): Sandbox['requests'] {
    return this.#sandbox.requests;
  }

  /** Whether a reload keeps the data. */
  get isKept(): boolean {
    return this.#store.isKept;
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

  /** The `fetch` of the page inside, which sends control requests. */
  readonly control = async (path: string, init?: RequestInit): Promise<Response> => {
    const response = await this.#sandbox.fetch(new URL(path, this.#api), init);
    if (init?.method !== 'GET') this.onChange({ kind: 'controlled' });
    return response;
  };

  /** Restores the initial data and the real time, and clears faults and requests. */
  reset(): void {
    this.#sandbox.reset();
    this.#sandbox.restore({ clock: { frozenAt: undefined, ahead: 0 } });
    this.onChange({ kind: 'reset' });
  }

  /** @param milliseconds - time to advance the clock by */
  advance(milliseconds: number): void {
    this.#sandbox.clock.advance(milliseconds);
    this.onChange({ kind: 'clock' });
  }

  #create(): Sandbox {
    const sandbox = createSandbox({ store: this.#store, control: true });
    // An older version of the page may have kept what this one cannot read.
    sandbox.ready.then(
      () => this.onChange({ kind: 'controlled' }),
      async () => {
        await this.#store.clear();
        this.#sandbox = this.#create();
      },
    );
    return sandbox;
  }
}

export type Change = { kind: 'answered' | 'reset' | 'clock' | 'controlled' } | { kind: 'not sent'; origin: string };
