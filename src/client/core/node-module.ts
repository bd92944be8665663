/** The members of Node's own modules that the core uses. Node's declarations are left out: users may not have them. */
interface NodeModules {
  'node:async_hooks': {
    AsyncLocalStorage: new <Store>() => AsyncContext<Store>;
  };
  'node:diagnostics_channel': {
    subscribe(channel: string, subscriber: (message: object) => void): void;
    tracingChannel?(name: string): unknown;
  };
}

/** An `AsyncLocalStorage`: a value that everything started within `run` can read. */
export interface AsyncContext<Store> {
  run<Result>(store: Store, action: () => Result): Result;
  getStore(): Store | undefined;
}

/**
 * A module of Node, or `undefined` on other platforms. Without an import, which bundlers for pages could not resolve.
 *
 * @param name - with its `node:` prefix
 */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  const { process } = globalThis as unknown as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}
