import type { Route } from './routes.ts';

export type Found<Target> =
  | { target: Target; path: Record<string, string | number> }
  /** The path exists with other methods, which are listed here. */
  | { allowed: string[] }
  | undefined;

/** A target with its template in segments. */
interface Template<Target> {
  target: Target;
  /** Literal text, or a parameter. */
  segments: readonly (string | { name: string; isNumber: boolean })[];
}

/**
 * Finds the route of a method and path. It ignores doubled and trailing slashes, as some clients send them, and routes
 * HEAD as GET.
 */
export class Router<Target extends { route: Route }> {
  /** Targets of paths without parameters, by path and method. */
  readonly #fixed = new Map<string, Map<string, Target>>();
  /** Targets of paths with parameters, by method and number of segments. */
  readonly #templates = new Map<string, Template<Target>[]>();
  readonly #methods = new Set<string>();

  constructor(targets: readonly Target[]) {
    for (const target of targets) {
      const { method } = target.route;
      const path = target.route.path.replace(/\/$/, '');
      this.#methods.add(method);
      if (path.includes('{')) this.#addTemplate(method, path, target);
      else this.#fixed.set(path, (this.#fixed.get(path) ?? new Map()).set(method, target));
    }
  }

  find(method: string, pathname: string): Found<Target> {
    const isPlain = !pathname.endsWith('/') && !pathname.includes('//') && !pathname.includes('%');
    const path = isPlain ? pathname : normalized(pathname);
    const found = this.#match(method === 'HEAD' ? 'GET' : method, path);
    if (found) return found;
    const others = [...this.#methods].filter((other) => this.#match(other, path) !== undefined);
    if (others.length === 0) return undefined;
    return { allowed: [...others, ...(others.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort() };
  }

  #addTemplate(method: string, path: string, target: Target): void {
    const segments = path.split('/').map((text) => {
      const name = /^\{(\w+)\}$/.exec(text)?.[1];
      return name === undefined ? text : { name, isNumber: target.route.numbers.includes(name) };
    });
    const key = `${method} ${segments.length}`;
    this.#templates.set(key, [...(this.#templates.get(key) ?? []), { target, segments }]);
  }

  /** Numeric parameters match only digits, so that `/deals/attributes/7` is not `/deals/{dealId}/attributes`. */
  #match(method: string, path: string): { target: Target; path: Record<string, string | number> } | undefined {
    const fixed = this.#fixed.get(path)?.get(method);
    if (fixed) return { target: fixed, path: {} };
    const texts = path.split('/');
    for (const { target, segments } of this.#templates.get(`${method} ${texts.length}`) ?? []) {
      const values = valuesIn(segments, texts);
      if (values) return { target, path: values };
    }
    return undefined;
  }
}

/** The values of the parameters, or `undefined` if a path does not match. */
function valuesIn(
  segments: Template<unknown>['segments'],
  texts: readonly string[],
): Record<string, string | number> | undefined {
  const values: Record<string, string | number> = {};
  for (const [index, segment] of segments.entries()) {
    const text = texts[index] ?? '';
    if (typeof segment === 'string') {
      if (segment !== text) return undefined;
    } else if (segment.isNumber) {
      if (!/^-?\d+$/.test(text)) return undefined;
      values[segment.name] = Number(text);
    } else {
      if (text === '') return undefined;
      values[segment.name] = decode(text);
    }
  }
  return values;
}

/** Removes doubled and trailing slashes, and decodes letters, digits and `-._~` (RFC 3986, section 6.2.2.2). */
function normalized(pathname: string): string {
  return pathname
    .replace(/%(?:3\d|[46][1-9a-f]|[57][\da]|2[de]|5f|7e)/gi, decodeURIComponent)
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reads the query in the form that the schemas expect, with numbers for numeric parameters and arrays for repeated ones.
 */
export function readQuery(search: URLSearchParams, numbers: readonly string[] = []): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name).map((value) => (numbers.includes(name) ? asNumber(value) : value));
    Object.defineProperty(query, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return query;
}

function asNumber(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
