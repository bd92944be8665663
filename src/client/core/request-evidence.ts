import { type AsyncContext, nodeModule } from './node-module.ts';

/** The members of undici's requests that say which request it is. */
interface UndiciRequest {
  method: string;
  path: string;
}

let context: AsyncContext<RequestEvidence> | undefined;
let isStarted = false;

/**
 * The requests that one call of `fetch` made, as undici (Node's `fetch`) and Node's own HTTP modules report them on diagnostics
 * channels. They show through wrappers, dispatchers that retry, and copies of undici from npm.
 */
export class RequestEvidence {
  /** Requests that undici made, whatever came of them. */
  made = 0;
  /** Requests that were written to a connection. */
  written = 0;
  /** Requests that have neither failed nor been answered, so that they can still be written. */
  open = 0;
  /** Requests of `node:http` and `node:http2`, which do not say when they are written. */
  untraced = 0;
  /** The errors of the requests that failed. */
  readonly errors: unknown[] = [];
  /** How often the request itself was written: more than once if something resends it, as Node's `fetch` does after a 421. */
  copies = 0;
  readonly method: string;
  readonly url: string;
  /** The call of `fetch` within which this one is made: what one client sends within the `fetch` of another, both have sent. */
  readonly outer: RequestEvidence | undefined;

  constructor(method: string, url: string) {
    this.method = method;
    this.url = url;
    this.outer = context?.getStore();
  }

  /** Whether nothing was seen to be sent: requests were made, all of them have failed, and none was written. */
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
 * @param evidence - receives what is seen; it stays empty on platforms without diagnostics channels
 */
export function observeRequests<Result>(evidence: RequestEvidence, fetch: () => Result): Result {
  if (!isStarted) start();
  return context ? context.run(evidence, fetch) : fetch();
}

/** Subscribes once per process, and not before the first call: importing the package has no effect. */
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
    // A proxy is asked for a tunnel by CONNECT, which carries nothing of the call.
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
