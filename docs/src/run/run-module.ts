import { parse } from 'es-module-lexer/js';

type Modules = Readonly<Record<string, object>>;

/** Where the modules that stand for packages find what they export. */
const registry = 'carillonModules';

/** A sample imports something that is not on this page. */
export class UnknownModule extends Error {
  override readonly name = 'UnknownModule';
}

/** JavaScript cannot be read: most often it has types, or a bracket is missing. */
export class UnreadableCode extends Error {
  override readonly name = 'SyntaxError';
}

/**
 * Runs the code of a module. Its imports of packages lead to the given modules.
 *
 * @returns a promise that resolves when the module has been evaluated, with its top-level `await`
 * @throws `UnknownModule` if it imports another module; whatever the code throws
 */
export async function runModule(code: string, modules: Modules): Promise<void> {
  Reflect.set(globalThis, registry, modules);
  const addresses = new Map<string, string>();
  const addressOf = (name: string): string => {
    const address = addresses.get(name) ?? createModule(bridgeTo(name, modules));
    addresses.set(name, address);
    return address;
  };
  const address = createModule(redirectImports(code, addressOf));
  try {
    await import(/* @vite-ignore */ address);
  } catch (error) {
    // What the engine cannot parse has no stack, and so no place.
    throw error instanceof SyntaxError && !error.stack?.includes('blob:') ? new UnreadableCode(error.message) : error;
  } finally {
    for (const used of [address, ...addresses.values()]) URL.revokeObjectURL(used);
  }
}

/** The code with other addresses in its imports. All else stays in its place, so that lines of errors are those of the reader. */
export function redirectImports(code: string, addressOf: (name: string) => string): string {
  let imports: ReturnType<typeof parse>[0];
  try {
    [imports] = parse(code);
  } catch {
    // The engine reports what is wrong better than the lexer does.
    return code;
  }
  let redirected = code;
  // From the end, so that places before it stay the same. Names in `import()` have their quotes, others do not.
  for (const { n: name, s: start, e: end, d: kind } of imports.toReversed()) {
    if (name === undefined) continue;
    const address = kind === -1 ? addressOf(name) : JSON.stringify(addressOf(name));
    redirected = redirected.slice(0, start) + address + redirected.slice(end);
  }
  return redirected;
}

/** A module that exports what a module of this worker exports. */
function bridgeTo(name: string, modules: Modules): string {
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (!module) {
    const known = Object.keys(modules).map((one) => `'${one}'`);
    throw new UnknownModule(`On this page, a program can import ${known.join(' and ')}, but not '${name}'.`);
  }
  return `export const { ${Object.keys(module).join(', ')} } = globalThis.${registry}[${JSON.stringify(name)}];`;
}

function createModule(code: string): string {
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}
