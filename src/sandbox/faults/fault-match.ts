import { isRecord } from '../../shared/is-record.ts';

/** Conditions of a fault. A request must meet all of them. */
export interface FaultMatch {
  /** HTTP method, in upper or lower case. */
  method?: string | undefined;
  /** Path without query, such as `/crm/v1/deals/501`. `*` matches any characters: `/crm/v1/deals/*`. */
  path?: string | undefined;
  /** Values of path parameters, such as `{ dealId: 501 }`. */
  parameters?: Record<string, string | number> | undefined;
  /**
   * Part of the JSON body. An object matches if each of its fields matches, a list matches if its items match the first items
   * of the request's list, and any other value matches if the values are equal.
   */
  body?: unknown;
}

/** A request that a fault may affect. */
export interface Candidate {
  operation: string;
  method: string;
  url: URL;
  /** Values of path parameters. */
  parameters: Record<string, string | number>;
  /** The JSON body, or `undefined` if the request has none. */
  body: unknown;
}

export function matches({ method, path, parameters = {}, ...rest }: FaultMatch, request: Candidate): boolean {
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || fitsPattern(request.url.pathname, path)) &&
    Object.entries(parameters).every(([name, value]) => String(request.parameters[name]) === String(value)) &&
    (rest.body === undefined || containsPart(request.body, rest.body))
  );
}

/** Whether a string matches a pattern in which `*` matches any characters. The comparison never backtracks. */
export function fitsPattern(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return text === first;
  let place = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, place);
    if (found === -1) return false;
    place = found + part.length;
  }
  return text.length - last.length >= place && text.endsWith(last);
}

/** Whether a value contains a part, as described in `FaultMatch.body`. */
export function containsPart(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(actual) && expected.every((item, index) => containsPart(actual[index], item));
  if (!isRecord(expected)) return actual === expected;
  if (!isRecord(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && containsPart(actual[name], value),
  );
}
