import { causesOf } from './connection-failure.ts';

/** A `fetch` function, called as documented for the `fetch` option. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A message of undici's diagnostics channels. */
interface Message {
  request: { method: string };
  error: unknown;
}

/** The report for the call of `fetch` in progress. */
let current: RequestReport | undefined;
let isSubscribed = false;
const reports = new WeakMap<object, RequestReport>();

/**
 * Records undici's diagnostics for the request of one attempt. undici, the library behind Node's `fetch`, creates the request
 * before `fetch` returns, unless the signal is aborted. If `fetch` does not use undici, the report stays empty.
 */
export class RequestReport {
  /** Whether a request that `fetch` created was written to a connection. */
  isWritten = false;
  readonly #fetch: Fetch;
  readonly #signal: AbortSignal;
  /** Number of requests that were created while `fetch` was called. */
  #made = 0;
  /** Why the request has no response, if it failed before an abort. */
  #error: unknown;

  /** @param signal - the signal that `fetch` receives */
  constructor(fetch: Fetch, signal: AbortSignal) {
    this.#fetch = fetch;
    this.#signal = signal;
  }

  /** Calls `fetch`, without a receiver, as the `fetch` of a web page requires. */
  call(url: string, init: RequestInit): Promise<Response> {
    if (!isSubscribed) subscribe();
    const fetch = this.#fetch;
    const outer = current;
    current = this;
    try {
      return fetch(url, init);
    } finally {
      current = outer;
    }
  }

  /**
   * Whether the request was certainly not sent. Only Node's own `fetch` can prove this, because a wrapper may send a request in
   * other ways. The proof is one of two facts: `fetch` created no request because the port is blocked, or `fetch` created a
   * single request, never wrote it and gave it up. A request was given up if it was aborted, or if `fetch` failed with the error
   * of this request. Behind a dispatcher that retries, `fetch` fails with the error of another request.
   */
  detectsUnsent(error: unknown): boolean {
    if (this.isWritten || !isNodesFetch(this.#fetch)) return false;
    const causes = causesOf(error);
    if (this.#made === 0) return causes.at(-1)?.message === 'bad port';
    if (this.#made > 1) return false;
    return this.#error === undefined ? this.#signal.aborted : causes.some((cause) => cause === this.#error);
  }

  make(request: object): void {
    this.#made += 1;
    reports.set(request, this);
  }

  fail(error: unknown): void {
    if (!this.#signal.aborted) this.#error = error;
  }
}

/**
 * Whether a function is Node's own `fetch`. Only the source text of Node's `fetch` loads Node's internals. A wrapper can have the
 * same name.
 */
function isNodesFetch(fetch: Fetch): boolean {
  return Function.prototype.toString.call(fetch).includes("require('internal/deps/undici");
}

/** Subscribes once per process, at the first call, so that importing the package has no side effect. */
function subscribe(): void {
  isSubscribed = true;
  const channels = diagnosticsChannels();
  if (!channels?.subscribe) return;
  const on = (name: string, note: (message: Message) => void): void =>
    channels.subscribe(`undici:${name}`, (message) => note(message as Message));
  const write = ({ request }: Message): void => {
    const report = reports.get(request);
    if (report) report.isWritten = true;
  };
  on('request:create', ({ request }) => {
    // Ignore CONNECT, which requests a tunnel from a proxy and contains no data of the call.
    if (current && request.method !== 'CONNECT') current.make(request);
  });
  on('client:sendHeaders', write);
  // Version 6 reports only the end of a request over HTTP/2.
  on('request:bodySent', write);
  on('request:error', ({ request, error }) => reports.get(request)?.fail(error));
}

/**
 * The member of `node:diagnostics_channel` that the client uses. Declared here, because users may not have Node's type
 * declarations.
 */
interface DiagnosticsChannels {
  subscribe(channel: string, subscriber: (message: object) => void): void;
}

/**
 * Returns the module `node:diagnostics_channel`, or `undefined` on other platforms. Does not import the module, because bundlers
 * for browsers could not resolve it.
 */
function diagnosticsChannels(): DiagnosticsChannels | undefined {
  const process: { getBuiltinModule?(name: string): unknown } | undefined = Reflect.get(globalThis, 'process');
  return process?.getBuiltinModule?.('node:diagnostics_channel') as DiagnosticsChannels | undefined;
}
