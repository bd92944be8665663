const platformFetch = globalThis.fetch;

/**
 * Whether a function is the platform's own `fetch`, over its own connections. Anything else (a replaced global `fetch`, a
 * dispatcher that retries or composes) may report a refused connection after it delivered the request.
 *
 * @param fetch - a function, or nothing for the global one
 */
export function isPlatformFetch(fetch: unknown = globalThis.fetch): boolean {
  if (fetch !== platformFetch) return false;
  // Where undici, Node's `fetch`, keeps what carries its requests. From Node 26 on, the first is a wrapper of the second.
  return [1, 2].every((version) => {
    const dispatcher = Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`));
    const Class = dispatcher?.constructor;
    // A composed dispatcher is an Agent with another `dispatch`.
    return (
      !dispatcher ||
      (/^(Agent|Dispatcher1Wrapper)$/.test(Class.name) && dispatcher.dispatch === Class.prototype.dispatch)
    );
  });
}
