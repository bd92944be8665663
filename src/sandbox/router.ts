import { TrieRouter } from 'hono/router/trie-router';
import type { Route } from './routes.ts';

export type Found<Target> =
  | { target: Target; path: Record<string, string | number> }
  /** The path exists with other methods, which are listed here. */
  | { allowed: string[] }
  | undefined;

/**
 * Finds the route of a method and path. It ignores doubled and trailing slashes, as some clients send them, and routes
 * HEAD as GET.
 */
export class Router<Target extends { route: Route }> {
  readonly #router = new TrieRouter<Target>();
  readonly #methods = new Set<string>();
  /** Cached targets of paths without parameters, by path and method. */
  readonly #fixed = new Map<string, Map<string, Target>>();

  constructor(targets: readonly Target[]) {
    for (const target of targets) {
      const { method, path, numbers } = target.route;
      this.#methods.add(method);
      const pattern = path
        .replace(/\/$/, '')
        // Numeric parameters match only digits, so that `/deals/attributes/7` is not `/deals/{dealId}/attributes`.
        .replace(/\{(\w+)\}/g, (_, name: string) => (numbers.includes(name) ? `:${name}{-?[0-9]+}` : `:${name}`));
      this.#router.add(method, pattern, target);
    }
  }

  find(method: string, pathname: string): Found<Target> {
    const known = this.#fixed.get(pathname)?.get(method);
    if (known) return { target: known, path: {} };
    const isPlain = !pathname.endsWith('/') && !pathname.includes('//') && !pathname.includes('%');
    const path = isPlain ? pathname : normalized(pathname);
    const found = this.#match(method === 'HEAD' ? 'GET' : method, path);
    if (found && isPlain && !found.target.route.path.includes('{')) this.#remember(method, path, found.target);
    if (found) return found;
    const others = [...this.#methods].filter((other) => this.#match(other, path) !== undefined);
    if (others.length === 0) return undefined;
    return { allowed: [...others, ...(others.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort() };
  }

  #remember(method: string, path: string, target: Target): void {
    const methods = this.#fixed.get(path) ?? new Map<string, Target>();
    this.#fixed.set(path, methods.set(method, target));
  }

  #match(method: string, path: string): { target: Target; path: Record<string, string | number> } | undefined {
    const [[match]] = this.#router.match(method, path);
    const [target, params] = match ?? [];
    if (!target || !params) return undefined;
    const { numbers = [] } = target.route;
    const values: Record<string, string | number> = {};
    for (const [name, place] of Object.entries(params)) {
      // This router returns the text. Only hono's other routers return a place.
      const text = decode(String(place));
      values[name] = numbers.includes(name) ? asNumber(text) : text;
    }
    return { target, path: values };
  }
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
