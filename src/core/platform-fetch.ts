/** What carries the requests of undici, Node's `fetch`. */
interface Dispatcher {
  dispatch: unknown;
  constructor: { name: string; prototype: { dispatch?: unknown } };
}

const platformFetch = globalThis.fetch;
// No declaration names what undici adds. Each try reads it: `Reflect.get` would take much longer.
const globals = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
// Where undici keeps it. From Node 26 on, the first is a wrapper of the second.
const places = /* @__PURE__ */ [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
const names = ['Agent', 'Dispatcher1Wrapper'];

/**
 * Whether a function is the platform's own `fetch`, over its own connections. Anything else (a replaced global `fetch`, a
 * dispatcher that retries or composes) may report a refused connection after it delivered the request.
 *
 * @param fetch - a function, or nothing for the global one
 */
export function isPlatformFetch(fetch: unknown = globalThis.fetch): boolean {
  return (
    fetch === platformFetch &&
    places.every((place) => {
      const dispatcher = globals[place];
      if (!dispatcher) return true;
      const { name, prototype } = dispatcher.constructor;
      // A composed dispatcher is an Agent with another `dispatch`.
      return names.includes(name) && dispatcher.dispatch === prototype.dispatch;
    })
  );
}
