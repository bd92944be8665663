/** The part of an operation that the router needs. */
export interface Routed {
  method: string;
  /** Template, such as `/crm/v1/deals/{dealId}`. */
  path: string;
  /** Names of the parameters that are numbers. Only integers match these parameters. Other parameters match any string. */
  numbers: readonly string[];
}

export type Found<Target> =
  | { target: Target; path: Record<string, string | number> }
  /** The path exists with other methods, which are listed here. */
  | { allowed: string[] }
  | undefined;

/** A target whose template is split into segments. */
interface Template<Target> {
  target: Target;
  segments: readonly Segment[];
}

/** A literal, or a parameter. */
type Segment = string | { name: string; isNumber: boolean };

/**
 * Finds the operation for a method and path. Ignores doubled and trailing slashes, which some clients send, and routes HEAD as
 * GET. A literal segment takes precedence over a parameter: `/deals/attributes/{pipelineId}` over `/deals/{dealId}/attributes`.
 */
export class Router<Target extends { route: Routed }> {
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
    for (const templates of this.#templates.values()) templates.sort(literalsFirst);
  }

  find(method: string, pathname: string): Found<Target> {
    const isPlain = !pathname.endsWith('/') && !pathname.includes('//') && !pathname.includes('%');
    const path = isPlain ? pathname : normalized(pathname);
    const found = this.#match(routedMethod(method), path);
    if (found) return found;
    const others = [...this.#methods].filter((other) => this.#match(other, path) !== undefined);
    if (others.length === 0) return undefined;
    return { allowed: [...others, ...(others.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort() };
  }

  /**
   * Finds the template for a path in which a value is missing, as in `/deals//comments`. Returns `undefined` if the path without
   * its extra slashes matches a template with at least as many literals.
   */
  findLacking(method: string, pathname: string): { target: Target; name: string } | undefined {
    const parts = pathname.split('/').map(decodeUnreserved);
    const names = parts.slice(1);
    if (!names.includes('')) return undefined;
    const candidates = this.#templates.get(keyOf(routedMethod(method), parts.length)) ?? [];
    const lacking = candidates.find(({ segments }) => fits(segments, parts));
    const segment = lacking?.segments[parts.indexOf('', 1)];
    if (!lacking || typeof segment !== 'object') return undefined;
    const found = this.find(method, pathname);
    const literals = found && 'target' in found ? literalsOf(segmentsOf(found.target.route)) : -1;
    return literalsOf(lacking.segments) > literals ? { target: lacking.target, name: segment.name } : undefined;
  }

  #addTemplate(method: string, path: string, target: Target): void {
    const segments = segmentsOf({ ...target.route, path });
    const key = keyOf(method, segments.length);
    this.#templates.set(key, [...(this.#templates.get(key) ?? []), { target, segments }]);
  }

  /** Numeric parameters match only integers, so that `/deals/first` is not a deal. */
  #match(method: string, path: string): { target: Target; path: Record<string, string | number> } | undefined {
    const fixed = this.#fixed.get(path)?.get(method);
    if (fixed) return { target: fixed, path: {} };
    const parts = path.split('/');
    for (const { target, segments } of this.#templates.get(keyOf(method, parts.length)) ?? []) {
      const values = valuesIn(segments, parts);
      if (values) return { target, path: values };
    }
    return undefined;
  }
}

function routedMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method;
}

function keyOf(method: string, segments: number): string {
  return `${method} ${segments}`;
}

function segmentsOf({ path, numbers }: Pick<Routed, 'path' | 'numbers'>): Segment[] {
  return path.split('/').map((text) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    if (name === undefined && text.includes('{'))
      throw new Error(`There is no route for ${path}: ${text} is neither a literal nor a parameter`);
    return name === undefined ? text : { name, isNumber: numbers.includes(name) };
  });
}

function literalsFirst(a: Template<unknown>, b: Template<unknown>): number {
  const form = ({ segments }: Template<unknown>): string =>
    segments.map((segment) => (typeof segment === 'string' ? '0' : '1')).join('');
  return form(a).localeCompare(form(b));
}

function literalsOf(segments: readonly Segment[]): number {
  return segments.filter((segment) => typeof segment === 'string').length;
}

/** Whether a template matches a path whose values may be empty. */
function fits(segments: readonly Segment[], parts: readonly string[]): boolean {
  return segments.every((segment, index) => typeof segment !== 'string' || segment === parts[index]);
}

/** Returns the values of the parameters, or `undefined` if the path does not match. */
function valuesIn(segments: readonly Segment[], parts: readonly string[]): Record<string, string | number> | undefined {
  const values: Record<string, string | number> = {};
  for (const [index, segment] of segments.entries()) {
    const text = parts[index] ?? '';
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

/** Removes doubled and trailing slashes, and decodes characters that need no encoding. */
function normalized(pathname: string): string {
  return decodeUnreserved(pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
}

/** Decodes letters, digits and `-._~` (RFC 3986, section 6.2.2.2). */
function decodeUnreserved(text: string): string {
  return text.replace(/%(?:3\d|[46][1-9a-f]|[57][\da]|2[de]|5f|7e)/gi, decodeURIComponent);
}

/** Returns a value unchanged if it is not valid percent-encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
