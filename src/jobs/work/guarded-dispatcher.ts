import { type Dispatcher, getGlobalDispatcher } from 'undici';

/** Callbacks that tell a handler that its request is about to be written, by the version of undici. */
const firstCallbacks = ['onRequestStart', 'onConnect'] as const;

/** Returns an error if a request must not be written. */
export type Check = () => Error | undefined;

/** Wrapped dispatchers, because a program can replace the global one. */
const wrapped = new WeakMap<Dispatcher, object>();

/**
 * Returns the dispatcher that Node's `fetch` would use, with a check right before a request is written. `undefined` on Bun, which has none.
 *
 * @param checkOf - called when a request is dispatched, in its context. Returns its check. The first function that is passed counts
 */
export function guardDispatcher(checkOf: () => Check): object | undefined {
  const dispatcher = getGlobalDispatcher();
  if (typeof dispatcher.compose !== 'function') return undefined;
  const known = wrapped.get(dispatcher);
  if (known) return known;
  const guarded = dispatcher.compose((dispatch) => (options, handler) => {
    const look = guard(handler, checkOf());
    return dispatch({ ...options, ...guardBody(options.body, look) }, handler);
  });
  wrapped.set(dispatcher, guarded);
  return guarded;
}

/**
 * Checks in the first callback. Each request has a handler of its own, so the others stay as they are.
 *
 * @returns a function that checks again. Aborts the request and throws if it must not be written
 */
function guard(handler: Dispatcher.DispatchHandler, check: Check): () => void {
  let request: unknown;
  for (const name of firstCallbacks) {
    const callback: unknown = Reflect.get(handler, name);
    if (typeof callback !== 'function') continue;
    const value = (first: unknown, ...others: unknown[]): unknown => {
      request = first;
      const error = check();
      if (error) abort(request, error);
      return Reflect.apply(callback, handler, [first, ...others]);
    };
    Object.defineProperty(handler, name, { value, configurable: true, writable: true });
  }
  return () => {
    const error = check();
    if (!error) return;
    abort(request, error);
    throw error;
  };
}

/** Checks again when a body is read, which `fetch` does some time after the first callback. The text that the client sends is one part. */
function guardBody(body: unknown, look: () => void): object {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return {};
  return { body: lookFirst(body as AsyncIterable<unknown>, look) };
}

async function* lookFirst(parts: AsyncIterable<unknown>, look: () => void): AsyncGenerator<unknown> {
  for await (const part of parts) {
    look();
    yield part;
  }
}

/** Aborts a request with the controller of undici 7, or the function of earlier versions. */
function abort(controller: unknown, error: Error): void {
  if (typeof controller === 'function') controller(error);
  else if (typeof controller === 'object' && controller !== null && 'abort' in controller) {
    if (typeof controller.abort === 'function') controller.abort(error);
  }
}
