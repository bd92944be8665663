import { type Dispatcher, getGlobalDispatcher } from 'undici';

/** Callbacks of a handler, by the version of undici. The first two tell it that its request is about to be written. */
const callbacks = [
  ...['onRequestStart', 'onConnect', 'onRequestUpgrade', 'onResponseStart', 'onResponseData', 'onResponseEnd'],
  ...[
    'onResponseError',
    'onUpgrade',
    'onResponseStarted',
    'onHeaders',
    'onData',
    'onComplete',
    'onError',
    'onBodySent',
  ],
];
const firstCallbacks = callbacks.slice(0, 2);

/** Returns an error if a request must not be written. */
export type Check = () => Error | undefined;

/** Wrapped dispatchers, because a program can replace the global one. */
const wrapped = new WeakMap<Dispatcher, object>();

/**
 * Returns the dispatcher that Node's `fetch` would use, with a check right before a request is written.
 *
 * @param checkOf - called when a request is dispatched, in its context. Returns its check. The first function that is passed counts
 */
export function guardDispatcher(checkOf: () => Check): object {
  const dispatcher = getGlobalDispatcher();
  const known = wrapped.get(dispatcher);
  if (known) return known;
  const guarded = dispatcher.compose((dispatch) => (options, handler) => dispatch(options, guard(handler, checkOf())));
  wrapped.set(dispatcher, guarded);
  return guarded;
}

function guard(handler: Dispatcher.DispatchHandler, check: Check): Dispatcher.DispatchHandler {
  const guarded: Record<string, unknown> = {};
  for (const name of callbacks) {
    const callback: unknown = Reflect.get(handler, name);
    if (typeof callback !== 'function') continue;
    guarded[name] = firstCallbacks.includes(name)
      ? (first: unknown, ...others: unknown[]): unknown => {
          const error = check();
          if (error) abort(first, error);
          return Reflect.apply(callback, handler, [first, ...others]);
        }
      : (...given: unknown[]): unknown => Reflect.apply(callback, handler, given);
  }
  return guarded;
}

/** Aborts a request with the controller of undici 7, or the function of earlier versions. */
function abort(controller: unknown, error: Error): void {
  if (typeof controller === 'function') controller(error);
  else if (typeof controller === 'object' && controller !== null && 'abort' in controller) {
    if (typeof controller.abort === 'function') controller.abort(error);
  }
}
