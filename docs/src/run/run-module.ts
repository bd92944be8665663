type Modules = Readonly<Record<string, object>>;

/** Global that holds the exports for the modules that replace packages. */
const registry = 'carillonModules';
/** Global that a program calls with its last line. */
const lastLine = 'carillonLastLine';

/** A program imports a module that this page does not provide. */
export class UnknownModule extends Error {
  override readonly name = 'UnknownModule';
}

/** The engine cannot parse the code. Usually it contains types, or a bracket is missing. */
export class UnreadableCode extends Error {
  override readonly name = 'SyntaxError';
}

/**
 * Runs the code of a module. Its package imports resolve to the given modules.
 *
 * @param ended - called after the last line, before anything that the program did not await
 * @returns a promise that resolves after evaluation, including top-level `await`
 * @throws `UnknownModule` if it imports another module; `UnreadableCode`; any error that the code throws
 */
export async function runModule(code: string, modules: Modules, ended: () => void): Promise<void> {
  Reflect.set(globalThis, registry, modules);
  Reflect.set(globalThis, lastLine, ended);
  const addresses: string[] = [];
  const create = (text: string): string => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    addresses.push(address);
    return address;
  };
  try {
    const program = redirectImports(code, (name) => create(bridgeTo(name, modules)));
    const address = create(`${program}\n;globalThis.${lastLine}();`);
    await import(/* @vite-ignore */ address);
  } catch (error) {
    // A syntax error in the sample has no stack that leads into it.
    throw error instanceof SyntaxError && !error.stack?.includes('blob:') ? new UnreadableCode(error.message) : error;
  } finally {
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}

/** An import at the top of a program, with preceding spaces and comments, up to the module's name. */
const topImport = /(?:\s|;|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*import\b(?:[^'"();]*\bfrom\b)?\s*(?=(['"]))/y;

/**
 * Replaces the addresses in the imports at the top of a program, so that text that looks like an import is left alone. Lines
 * stay in place, so that errors have the reader's line numbers.
 *
 * @param addressOf - returns the address of a module by name
 */
function redirectImports(code: string, addressOf: (name: string) => string): string {
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

/** A module that re-exports a module of this worker. */
function bridgeTo(name: string, modules: Modules): string {
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (!module) {
    const known = Object.keys(modules).map((one) => `'${one}'`);
    throw new UnknownModule(`On this page, a program can import ${known.join(' and ')}, but not '${name}'.`);
  }
  return `export const { ${Object.keys(module).join(', ')} } = globalThis.${registry}[${JSON.stringify(name)}];`;
}
