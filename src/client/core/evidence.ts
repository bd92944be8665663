import { causesOf } from './connection-failure.ts';
import { type AsyncContext, nodeModule } from './node-module.ts';

/** Fields that identify a request of undici or `node:http`. */
interface SeenRequest {
  method: string;
  path: string;
  /** Only of undici. */
  origin?: unknown;
}

/** A message of one of undici's channels. */
interface Message {
  request: SeenRequest;
  error: Error;
  socket?: { alpnProtocol?: unknown };
}

let context: AsyncContext<RequestEvidence> | undefined;
let isStarted = false;
/** The call of `fetch` whose synchronous part runs now. */
let calling: { evidence: RequestEvidence; fetch: Fetch } | undefined;
/** HTTP/2 connections on which undici has not reported a write yet, and their number. Version 6 never reports one. */
const silent = new WeakSet<object>();
let silentConnections = 0;
/** Errors of connections that were not established. */
const connectErrors = new WeakSet<Error>();

/** Requests with the same method and path, while attempts with them are open. */
const twins = new Map<string, { attempts: number; written: number }>();

/**
 * The requests made by one call of `fetch`, as reported by undici (Node's `fetch`) and Node's HTTP modules on diagnostics
 * channels. This also works through wrappers, dispatchers that retry, and copies of undici from npm.
 *
 * A request counts for the attempt in whose asynchronous context it was created. Queues and limiters can create it in the context
 * of another attempt. So the evidence of an attempt is about its own request, by address, and is void if a twin was written.
 */
export class RequestEvidence {
  /** Number of requests that undici created. */
  made = 0;
  /** How many of them are the request of the attempt, by method and address. */
  own = 0;
  /** Number of requests written to a connection. */
  written = 0;
  /** Number of requests that may still be written: those that did not fail while connecting. */
  open = 0;
  /** Number of requests of `node:http` and `node:http2`, which do not report when they are written. */
  untraced = 0;
  /** Errors of failed requests. */
  readonly errors: unknown[] = [];
  /** How often the original request was written. More than 1 if it was resent, as Node's `fetch` does after a 421. */
  copies = 0;
  /** Whether the platform's own `fetch` created the own request, without other code in between. */
  isDirect = false;
  readonly method: string;
  readonly url: string;
  /** The outer attempt, if a client is used within the `fetch` of another client. A request then counts for both. */
  outer: RequestEvidence | undefined;
  /** The parts of the address. */
  #origin = '';
  #target = '';
  #twinsBefore = 0;
  #progress: 'new' | 'open' | 'ended' = 'new';

  constructor(method: string, url: string) {
    this.method = method;
    this.url = url;
  }

  /** Starts to count. */
  begin(): void {
    const { origin, pathname, search } = new URL(this.url);
    this.#origin = origin;
    this.#target = `${pathname}${search}`;
    const entry = twins.get(this.#twinKey) ?? { attempts: 0, written: 0 };
    twins.set(this.#twinKey, entry);
    entry.attempts += 1;
    this.#twinsBefore = entry.written;
    this.outer = firstOpen(context?.getStore());
    this.#progress = 'open';
  }

  /** Ends the attempt. Contexts can keep it for weeks, so it lets go of everything else. */
  end(): void {
    const entry = twins.get(this.#twinKey);
    if (this.isOpen && entry) {
      entry.attempts -= 1;
      if (entry.attempts === 0) twins.delete(this.#twinKey);
    }
    this.#progress = 'ended';
    this.outer = firstOpen(this.outer);
    this.errors.length = 0;
  }

  get isOpen(): boolean {
    return this.#progress === 'open';
  }

  get #twinKey(): string {
    return `${this.method} ${this.#target}`;
  }

  /**
   * Whether the request was certainly not sent, after `fetch` failed with this error: it was created, all requests of the attempt
   * failed while connecting, one of them with this error, and no request was written that may have been this one.
   */
  provesUnsent(error: unknown): boolean {
    const isFailed = this.open === 0 && causesOf(error).some((cause) => this.errors.includes(cause));
    return isFailed && this.#isUnwritten && (this.#isExact || (silentConnections === 0 && !this.#hasTwin));
  }

  /**
   * Whether the request was not sent, and never will be, after the signal that `fetch` received was aborted. Only the platform's own
   * `fetch` is known to heed the signal.
   */
  get showsDropped(): boolean {
    return this.#isExact && this.#isUnwritten && silentConnections === 0;
  }

  get #isUnwritten(): boolean {
    return this.own > 0 && this.written === 0 && this.untraced === 0;
  }

  /** Whether the only request is that of the platform's own `fetch`. Then no other request can be the one of the attempt. */
  get #isExact(): boolean {
    return this.isDirect && this.made === 1;
  }

  /** Whether a request with the same method and path was written meanwhile, by anyone and to any address. */
  get #hasTwin(): boolean {
    return twins.get(this.#twinKey)?.written !== this.#twinsBefore;
  }

  make(request: SeenRequest): void {
    this.made += 1;
    this.open += 1;
    if (!this.#isOwn(request)) return;
    this.own += 1;
    this.isDirect = calling?.evidence === this && isPlatformFetch(calling.fetch);
  }

  #isOwn({ method, origin, path }: SeenRequest): boolean {
    if (method !== this.method) return false;
    // A request through a proxy without a tunnel has the whole address as its path.
    if (!path.startsWith('/')) return path === `${this.#origin}${this.#target}`;
    return path === this.#target && String(origin).replace(/\/$/, '') === this.#origin;
  }

  fail(error: Error): void {
    if (connectErrors.has(error)) this.open -= 1;
    this.errors.push(error);
  }

  write({ method, path }: SeenRequest): void {
    this.written += 1;
    if (method === this.method && this.url.endsWith(path)) this.copies += 1;
  }
}

/** The innermost attempt that is open. */
function firstOpen(evidence: RequestEvidence | undefined): RequestEvidence | undefined {
  let attempt = evidence;
  while (attempt && !attempt.isOpen) attempt = attempt.outer;
  return attempt;
}

/** Notes something in an attempt and in those around it. */
function noteIn(inner: RequestEvidence | undefined, note: (attempt: RequestEvidence) => void): void {
  for (let attempt = firstOpen(inner); attempt; attempt = firstOpen(attempt.outer)) note(attempt);
}

function noteTwin({ method, path }: SeenRequest): void {
  const entry = twins.get(`${method} ${path.replace(/^https?:\/\/[^/]+/, '')}`);
  if (entry) entry.written += 1;
}

/**
 * Calls `fetch` and notes what it sends, until the evidence is ended.
 *
 * @param evidence - receives the observations; stays empty on platforms without diagnostics channels
 */
export function observeRequests(
  evidence: RequestEvidence,
  fetch: Fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  if (!isStarted) start();
  if (!context) return callFetch(fetch, url, init);
  evidence.begin();
  const outer = calling;
  calling = { evidence, fetch };
  try {
    return context.run(evidence, () => callFetch(fetch, url, init));
  } finally {
    calling = outer;
  }
}

/** Subscribes once per process, at the first call, so that importing the package has no side effect. */
function start(): void {
  isStarted = true;
  const channels = nodeModule('node:diagnostics_channel');
  const hooks = nodeModule('node:async_hooks');
  if (!channels?.subscribe || !hooks) return;
  const calls = new hooks.AsyncLocalStorage<RequestEvidence>();
  const requests = new WeakMap<SeenRequest, RequestEvidence>();
  const on = (channel: string, note: (message: Message) => void): void =>
    channels.subscribe(channel, (message) => note(message as Message));

  on('undici:request:create', ({ request }) => {
    const evidence = firstOpen(calls.getStore());
    // Ignore CONNECT, which requests a tunnel from a proxy and contains no data of the call.
    if (!evidence || request.method === 'CONNECT') return;
    requests.set(request, evidence);
    noteIn(evidence, (attempt) => attempt.make(request));
  });
  on('undici:client:connected', ({ socket }) => {
    if (socket?.alpnProtocol !== 'h2') return;
    silent.add(socket);
    silentConnections += 1;
  });
  on('undici:client:connectError', ({ error }) => {
    // A custom `connect` can fail with any value.
    if (error instanceof Error) connectErrors.add(error);
  });
  on('undici:client:sendHeaders', ({ request, socket }) => {
    if (socket && silent.delete(socket)) silentConnections -= 1;
    noteTwin(request);
    noteIn(requests.get(request), (attempt) => attempt.write(request));
  });
  on('undici:request:error', ({ request, error }) => noteIn(requests.get(request), (attempt) => attempt.fail(error)));
  const noteUntraced = (): void =>
    noteIn(calls.getStore(), (attempt) => {
      attempt.untraced += 1;
    });
  on('http.client.request.start', ({ request }) => {
    noteUntraced();
    noteTwin(request);
  });
  channels.subscribe('http2.client.stream.created', (message) => {
    const headers: unknown = Reflect.get(message, 'headers');
    noteUntraced();
    noteTwin({
      method: String(Reflect.get(Object(headers), ':method')),
      path: String(Reflect.get(Object(headers), ':path')),
    });
  });
  context = calls;
}

/** A `fetch`, as the documentation of the option `fetch` calls it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Name of {@link callFetch} in stacks. Set as a value, because minifiers change the names of functions. */
const mark = 'carillon:fetch';

/** Calls `fetch` without a receiver, which the `fetch` of a page requires. */
const callFetch: (fetch: Fetch, url: string, init: RequestInit) => Promise<Response> =
  /* @__PURE__ */ Object.defineProperty((fetch: Fetch, url: string, init: RequestInit) => fetch(url, init), 'name', {
    value: mark,
  });

/** Longer than the stack of a request of Node's `fetch`, which has up to 28 frames. */
const maxFrames = 60;

/** A frame of Node's own code, or of a native function. */
const ownFrame = /^ +at (?:.+ \()?(?:node:(?:internal\/|diagnostics_channel:)|<anonymous>\)$)/;

/** A frame of a dispatcher from npm that sends each request once, at once, and heeds its signal. */
const plainDispatcher =
  /[\\/]node_modules[\\/]undici[\\/]lib[\\/](?:core[\\/]request|dispatcher[\\/](?:agent|client|pool|pool-base|balanced-pool|dispatcher|dispatcher-base|dispatcher1-wrapper|proxy-agent|env-http-proxy-agent)|interceptor[\\/]redirect-interceptor)\.js:\d+:\d+\)?$/;

/** Earlier results. Reading a stack takes longer than the other evidence of a call together. */
const known = new WeakMap<Fetch, { dispatchers: unknown[]; isPlatform: boolean }>();

/**
 * Whether only Node's own code ran between the call of `fetch` and the creation of its request. If so, `fetch` is the platform's
 * own, and no dispatcher delays or repeats its requests. Only the stack proves it: wrappers keep the name of `fetch`, and some even
 * its source text.
 *
 * Must be called by a subscriber of undici's channel of created requests, while `callFetch` runs.
 */
function isPlatformFetch(fetch: Fetch): boolean {
  const dispatchers = globalDispatchers();
  const before = known.get(fetch);
  if (before && areSame(before.dispatchers, dispatchers)) return before.isPlatform;
  const isPlatform = isCalledByPlatform(readStack());
  known.set(fetch, { dispatchers, isPlatform });
  return isPlatform;
}

function isCalledByPlatform(stack: unknown): boolean {
  if (typeof stack !== 'string') return false;
  const frames = stack.split('\n');
  // Frames of the subscriber come first.
  const first = frames.findIndex((frame) => frame.includes('node:diagnostics_channel'));
  const last = frames.findIndex((frame) => frame.includes(mark));
  return first >= 0 && last > first && frames.slice(first, last).every(isKnownFrame);
}

function isKnownFrame(frame: string): boolean {
  return ownFrame.test(frame) || plainDispatcher.test(frame);
}

/** Reads the whole stack: a program can shorten stacks, or leave out frames of its packages. */
function readStack(): unknown {
  const { stackTraceLimit, prepareStackTrace } = Error;
  // With frozen intrinsics, these cannot be set.
  Reflect.set(Error, 'stackTraceLimit', maxFrames);
  Reflect.set(Error, 'prepareStackTrace', undefined);
  const { stack } = new Error();
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  Reflect.set(Error, 'prepareStackTrace', prepareStackTrace);
  return stack;
}

/** Global dispatchers that all copies of undici share. The names of their symbols end in a version. */
function globalDispatchers(): unknown[] {
  return Object.getOwnPropertySymbols(globalThis)
    .filter(({ description }) => description?.startsWith('undici.globalDispatcher'))
    .map((name) => Reflect.get(globalThis, name));
}

function areSame(before: unknown[], now: unknown[]): boolean {
  return before.length === now.length && before.every((each, index) => each === now[index]);
}
