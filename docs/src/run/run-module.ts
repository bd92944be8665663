type Modules = Readonly<Record<string, object>>;

/** Where the modules that stand for packages find what they export. */
const registry = 'carillonModules';

/** A program imports something that is not on this page. */
export class UnknownModule extends Error {
  override readonly name = 'UnknownModule';
}

/** The engine cannot read the code: most often it has types, or a bracket is missing. */
export class UnreadableCode extends Error {
  override readonly name = 'SyntaxError';
}

/**
 * Runs the code of a module. Its imports of packages lead to the given modules.
 *
 * @returns a promise that resolves when the module has been evaluated, with its top-level `await`
 * @throws `UnknownModule` if it imports another module; `UnreadableCode`; whatever the code throws
 */
export async function runModule(code: string, modules: Modules): Promise<void> {
  Reflect.set(globalThis, registry, modules);
  const addresses: string[] = [];
  const create = (text: string): string => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    addresses.push(address);
    return address;
  };
  try {
    const address = create(redirectImports(code, (name) => create(bridgeTo(name, modules))));
    await import(/* @vite-ignore */ address);
  } catch (error) {
    // A syntax error of the sample has no stack that leads into the sample.
    throw error instanceof SyntaxError && !error.stack?.includes('blob:') ? new UnreadableCode(error.message) : error;
  } finally {
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}

/** An import at the top of a program, with the spaces and comments before it, up to the name of the module. */
const topImport = /(?:\s|;|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*import\b(?:[^'"();]*\bfrom\b)?\s*(?=(['"]))/y;

/**
 * The code with other addresses in its imports. They are at the top of a program, so that no text of it is taken for one. All else
 * stays in its line: lines of errors are those of the reader.
 *
 * @param addressOf - address of the module with a name
 */
export function redirectImports(code: string, addressOf: (name: string) => string): string {
  let redirected = '';
  let place = 0;
  for (;;) {
    topImport.lastIndex = place;
    const [found, quote = ''] = topImport.exec(code) ?? [];
    if (found === undefined) return redirected + code.slice(place);
    const start = place + found.length + 1;
    const end = code.indexOf(quote, start);
    if (end === -1) return redirected + code.slice(place);
    redirected += found + JSON.stringify(addressOf(code.slice(start, end)));
    place = end + 1;
  }
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
