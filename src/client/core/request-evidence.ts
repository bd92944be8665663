import { type AsyncContext, nodeModule } from './node-module.ts';

/** The members of undici's requests that identify a request. */
interface UndiciRequest {
  method: string;
  path: string;
}

let context: AsyncContext<RequestEvidence> | undefined;
let isStarted = false;

/**
 * The requests made by one call of `fetch`, as reported by undici (Node's `fetch`) and Node's HTTP modules on diagnostics
 * channels. This also works through wrappers, dispatchers that retry, and copies of undici from npm.
 */
export class RequestEvidence {
  /** Number of requests that undici created. */
  made = 0;
  /** Number of requests written to a connection. */
  written = 0;
  /** Number of requests that have not failed. */
  open = 0;
  /** Number of requests of `node:http` and `node:http2`, which do not report when they are written. */
  untraced = 0;
  /** Errors of failed requests. */
  readonly errors: unknown[] = [];
  /** How often the original request was written. More than 1 if it was resent, as Node's `fetch` does after a 421. */
  copies = 0;
  readonly method: string;
  readonly url: string;
  /** The outer call of `fetch`, if a client is used within the `fetch` of another client. The request then counts for both. */
  readonly outer: RequestEvidence | undefined;

  constructor(method: string, url: string) {
    this.method = method;
    this.url = url;
    this.outer = context?.getStore();
  }

  /** Whether requests were created, but all of them failed before they were written. */
  get showsUnsent(): boolean {
    return this.made > 0 && this.written === 0 && this.open === 0 && this.untraced === 0;
  }

  make(): void {
    this.made += 1;
    this.open += 1;
    this.outer?.make();
  }

  fail(error: unknown): void {
    this.open -= 1;
    this.errors.push(error);
    this.outer?.fail(error);
  }

  noteUntraced(): void {
    this.untraced += 1;
    this.outer?.noteUntraced();
  }

  write(request: UndiciRequest): void {
    const { method, path } = request;
    this.written += 1;
    this.outer?.write(request);
    if (method === this.method && this.url.endsWith(path)) this.copies += 1;
  }
}

/**
 * Calls `fetch` and notes what it sends.
 *
 * @param evidence - receives the observations; stays empty on platforms without diagnostics channels
 */
export function observeRequests<Result>(evidence: RequestEvidence, fetch: () => Result): Result {
  if (!isStarted) start();
  return context ? context.run(evidence, fetch) : fetch();
}

/** Subscribes once per process, at the first call, so that importing the package has no side effect. */
function start(): void {
  isStarted = true;
  const channels = nodeModule('node:diagnostics_channel');
  const hooks = nodeModule('node:async_hooks');
  if (!channels?.subscribe || !hooks) return;
  const calls = new hooks.AsyncLocalStorage<RequestEvidence>();
  const requests = new WeakMap<object, RequestEvidence>();
  const on = (channel: string, note: (request: UndiciRequest, error: unknown) => void): void =>
    channels.subscribe(channel, (message) => note(Reflect.get(message, 'request'), Reflect.get(message, 'error')));

  on('undici:request:create', (request) => {
    const evidence = calls.getStore();
    // Ignore CONNECT, which requests a tunnel from a proxy and contains no data of the call.
    if (!evidence || request.method === 'CONNECT') return;
    requests.set(request, evidence);
    evidence.make();
  });
  on('undici:client:sendHeaders', (request) => requests.get(request)?.write(request));
  on('undici:request:error', (request, error) => requests.get(request)?.fail(error));
  for (const channel of ['http.client.request.start', 'http2.client.stream.created']) {
    channels.subscribe(channel, () => calls.getStore()?.noteUntraced());
  }
  context = calls;
}
