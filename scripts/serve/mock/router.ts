/** The part of an operation that the router needs. */
export interface Routable {
  method: string;
  path: string;
}

export type RouteMatch<T> =
  /** `path` is the normalised request path: no doubled or trailing slashes, every value encoded. */
  | { kind: 'operation'; operation: T; path: string }
  | { kind: 'wrongMethod'; allow: string[] }
  /** A path value is missing, as in `/deals//comments`. */
  | { kind: 'emptyValue'; parameter: string; template: string }
  | { kind: 'unknown' };

interface Route<T> {
  operation: T;
  method: string;
  segments: string[];
  literals: number;
}

export interface Router<T> {
  find(method: string, pathname: string): RouteMatch<T>;
}

/**
 * Finds the operation of a request, so that Prism need not compare it with all operations. A literal segment takes
 * precedence over a parameter: `/deals/attributes/{pipelineId}` over `/deals/{dealId}/attributes`.
 */
export function createRouter<T extends Routable>(operations: T[]): Router<T> {
  const routes = operations.map(toRoute).sort(literalsFirst);
  return {
    find(method, pathname) {
      const wanted = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
      const raw = pathname.split('/').slice(1).map(decode);
      const values = raw.filter((value) => value !== '');
      const candidates = routes.filter((route) => fits(route, values));
      const match = candidates.find((route) => route.method === wanted);

      // An empty segment is a doubled slash or a missing value. Prefer the reading with more literals, then the doubled
      // slash: `/deals//comments` lacks a deal, although `comments` could be an ID.
      const lacking = routes.find((route) => route.method === wanted && fits(route, raw) && raw.includes(''));
      if (lacking && lacking.literals > (match?.literals ?? -1)) return emptyValue(lacking, raw);

      if (match) return { kind: 'operation', operation: match.operation, path: toPath(match, values) };
      if (candidates.length === 0) return { kind: 'unknown' };
      return { kind: 'wrongMethod', allow: allowedMethods(candidates) };
    },
  };
}

function toRoute<T extends Routable>(operation: T): Route<T> {
  const segments = operation.path.split('/').filter(Boolean);
  const partial = segments.find((segment) => segment.includes('{') && !isTemplate(segment));
  if (partial)
    throw new Error(`The mock cannot route ${operation.path}: ${partial} is neither a literal nor a template`);
  const literals = segments.filter((segment) => !isTemplate(segment)).length;
  return { operation, method: operation.method.toUpperCase(), segments, literals };
}

function isTemplate(segment: string): boolean {
  return /^\{[^{}]+\}$/.test(segment);
}

function literalsFirst(a: Route<unknown>, b: Route<unknown>): number {
  const form = ({ segments }: Route<unknown>) => segments.map((segment) => (isTemplate(segment) ? '1' : '0')).join('');
  return form(a).localeCompare(form(b));
}

/** Whether each segment matches a literal or parameter of the route. */
function fits({ segments }: Route<unknown>, values: string[]): boolean {
  return (
    segments.length === values.length &&
    segments.every((segment, index) => isTemplate(segment) || segment === values[index])
  );
}

function toPath({ segments }: Route<unknown>, values: string[]): string {
  const encoded = segments.map((segment, index) =>
    isTemplate(segment) ? encodeURIComponent(values[index] ?? '') : segment,
  );
  return `/${encoded.join('/')}`;
}

function emptyValue(route: Route<Routable>, values: string[]): RouteMatch<never> {
  const parameter = route.segments[values.indexOf('')]?.slice(1, -1) ?? '';
  return { kind: 'emptyValue', parameter, template: route.operation.path };
}

function allowedMethods(routes: Route<unknown>[]): string[] {
  const methods = new Set(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].sort();
}

/** Returns a value unchanged if it is not valid percent-encoding. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
