/** The members of Node's modules that the core uses. Declared here, because users may not have Node's type declarations. */
interface NodeModules {
  'node:diagnostics_channel': {
    subscribe(channel: string, subscriber: (message: object) => void): void;
  };
}

/**
 * Returns a module of Node, or `undefined` on other platforms. Does not import it, because bundlers for browsers could not
 * resolve it.
 *
 * @param name - name with the `node:` prefix
 */
export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  const process: { getBuiltinModule?(name: string): unknown } | undefined = Reflect.get(globalThis, 'process');
  return process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined;
}
