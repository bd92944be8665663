/** A `fetch`, as the documentation of the option `fetch` calls it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Name of {@link callFetch} in stacks. Set as a value, because minifiers change the names of functions. */
const mark = 'carillon:fetch';

/** Calls `fetch` without a receiver, which the `fetch` of a page requires. */
export const callFetch: (fetch: Fetch, url: string, init: RequestInit) => Promise<Response> =
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
export function isPlatformFetch(fetch: Fetch): boolean {
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
