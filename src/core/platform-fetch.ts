type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const platformFetch: Fetch | undefined = globalThis.fetch;
/** Where undici, Node's `fetch`, keeps what carries its requests. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

/**
 * Whether a function is the platform's own `fetch`, over its own connections. Anything else (a replaced global `fetch`, a
 * dispatcher that retries or composes) may report a refused connection after it delivered the request.
 *
 * @param fetch - a function, or nothing for the global one
 */
export function isPlatformFetch(fetch: Fetch = globalThis.fetch): boolean {
  if (fetch !== platformFetch) return false;
  const dispatcher: unknown = Reflect.get(globalThis, dispatcherKey);
  if (typeof dispatcher !== 'object' || dispatcher === null) return true;
  const Class = dispatcher.constructor;
  // A composed dispatcher is an Agent with another `dispatch`.
  return Class.name === 'Agent' && Reflect.get(dispatcher, 'dispatch') === Class.prototype.dispatch;
}
