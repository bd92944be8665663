import { type Dispatcher, getGlobalDispatcher } from 'undici';

/** Callbacks that tell a handler that its request is about to be written. Their names depend on the version of undici. */
const firstCallbacks = ['onRequestStart', 'onConnect'] as const;

/** Returns an error if a request must not be written. */
export type Check = () => Error | undefined;

/** Wrapped dispatchers by dispatcher, because a program can replace the global dispatcher. */
const wrapped = new WeakMap<Dispatcher, object>();

/**
 * Returns the dispatcher that Node's `fetch` would use, with a check right before a request is written. Returns `undefined` on Bun,
 * which has no dispatcher.
 *
 * @param checkOf - returns the check for a request. It is called in the context of the request when the request is dispatched. Only
 * the `checkOf` of the first call is used
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
 * Adds a check to the first callback of a handler. Each request has a separate handler, so handlers of other requests do not change.
 *
 * @returns a function that checks again. The function aborts the request and throws if the request must not be written
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

/**
 * Checks again when a body is read, because `fetch` reads the body some time after the first callback. The body that the client sends
 * consists of one part.
 */
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
