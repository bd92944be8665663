const platformFetch = globalThis.fetch;
/** Where undici, Node's `fetch`, keeps what carries its requests. */
const dispatcherKey = /* @__PURE__ */ Symbol.for('undici.globalDispatcher.1');

/**
 * Whether a function is the platform's own `fetch`, over its own connections. Anything else (a replaced global `fetch`, a
 * dispatcher that retries or composes) may report a refused connection after it delivered the request.
 *
 * @param fetch - a function, or nothing for the global one
 */
export function isPlatformFetch(fetch: unknown = globalThis.fetch): boolean {
  if (fetch !== platformFetch) return false;
  const dispatcher = Reflect.get(globalThis, dispatcherKey);
  const Class = dispatcher?.constructor;
  // A composed dispatcher is an Agent with another `dispatch`.
  return !dispatcher || (Class.name === 'Agent' && dispatcher.dispatch === Class.prototype.dispatch);
}
