import { asAssumption } from '../shared/inferred-limits.ts';
import type { PrismOperation } from './operation.ts';
import { isAssumed, type Schema, schemasAt, sentenceOf } from './schemas-at.ts';

/** One problem in a request. */
export interface Violation {
  /** Location: `body`, `query`, `path` or `header`, then the path of the value. */
  location: string[];
  message: string;
  /** The JSON Schema keyword that was violated, or the name of the status. */
  code: string;
}

/** A problem that Prism reports. The location is in `path` for a result, and in `location` for an error. */
export interface Diagnostic {
  path?: string[];
  location?: string[];
  message: string;
  code?: string | number;
  severity?: string | number;
}

/** Maximum number of violations in a response. */
const listed = 20;

/** Returns the first violations, the number of all violations, and a sentence about the first violation. */
export function summarize(violations: readonly Violation[]): {
  detail: string;
  members: { violations: Violation[]; violationCount: number };
} {
  const [first] = violations;
  const others = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  const place = first?.location.join('.');
  return {
    detail: `${place}: ${first?.message}${others}`,
    members: { violations: violations.slice(0, listed), violationCount: violations.length },
  };
}

/** Converts Prism's diagnostics to violations, with names as in the caller's request. Drops warnings. */
export function listViolations(diagnostics: Diagnostic[], operation: PrismOperation): Violation[] {
  const places = new Map<string, Violation[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== 0 && diagnostic.severity !== 'Error') continue;
    const violation = toViolation(diagnostic, operation);
    // A location comes before the locations inside it, although Prism reports the alternatives first.
    violation.location.forEach((_, end) => {
      const place = JSON.stringify(violation.location.slice(0, end + 1));
      if (!places.has(place)) places.set(place, []);
    });
    places.get(JSON.stringify(violation.location))?.push(violation);
  }
  return [...places.values()].flatMap((violations) => explain(violations, operation));
}

/**
 * Explains the violations at one location. A described `anyOf` or `not` has a sentence that explains more than the keywords
 * inside the schema.
 */
function explain(violations: readonly Violation[], operation: PrismOperation): Violation[] {
  const [{ location } = { location: [] }] = violations;
  const schemas = schemasAt(operation, location);
  for (const code of ['anyOf', 'not']) {
    const message = violations.some((violation) => violation.code === code) ? sentenceOf(code, schemas) : undefined;
    if (message !== undefined) return [marked({ location, message, code }, schemas)];
  }
  // Alternatives repeat the violations that they have in common.
  const distinct = new Map(violations.map((violation) => [violation.message, violation]));
  return [...distinct.values()].map((violation) => marked(violation, schemas));
}

function marked({ location, message, code }: Violation, schemas: readonly Schema[]): Violation {
  return { location, message: isAssumed(code, schemas) ? asAssumption(message, code) : message, code };
}

function toViolation({ path, location, message, code }: Diagnostic, operation: PrismOperation): Violation {
  if (code === 401) {
    const advice = 'The request has no bearer token. Any token is accepted, as in: Authorization: Bearer any';
    return { location: ['header', 'Authorization'], message: advice, code: 'unauthorized' };
  }
  if (code === 415) return { location: ['header', 'Content-Type'], message, code: 'unsupported-media-type' };
  const [root = 'body', ...rest] = path ?? location ?? [];
  // Prism does not decode the segments of a JSON pointer.
  const place = rest.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  // The name of a missing property is only in the message, so add it to the path.
  const missing = code === 'required' ? /required property '(.+)'/.exec(message)?.[1] : undefined;
  const full = [root, ...place, ...(missing === undefined ? [] : [missing])];
  return { ...restoreNames(full, message, operation), code: String(code ?? 'invalid') };
}

/** Restores the original parameter names from the spec, because Prism lower-cases them. */
function restoreNames(
  [root = 'body', ...rest]: string[],
  message: string,
  { request }: PrismOperation,
): Pick<Violation, 'location' | 'message'> {
  const parameters = { query: request?.query, path: request?.path };
  const declared = root === 'query' || root === 'path' ? (parameters[root] ?? []) : [];
  const name = declared.find((parameter) => parameter.name.toLowerCase() === rest[0])?.name;
  if (name === undefined || rest[0] === undefined) return { location: [root, ...rest], message };
  const text = message
    .replace(` parameter ${rest[0]}`, ` parameter ${name}`)
    .replace(`property '${rest[0]}'`, `parameter '${name}'`);
  return { location: [root, name, ...rest.slice(1)], message: text };
}
