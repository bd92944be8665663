import { isRecord } from '../shared/is-record.ts';
import { parseJson } from './json.ts';

/** Conditions of a fault. A request must meet all of them. */
export interface FaultMatch {
  /** Values of path parameters, such as `{ dealId: 501 }`. */
  path?: Record<string, string | number>;
  /**
   * A part of the JSON body: an object matches if each of its fields matches, a list if its items match the first items
   * of the request's list, anything else if it is equal.
   */
  body?: unknown;
  /** Request headers and their exact values. The case of a name does not matter. */
  headers?: Record<string, string>;
}

/** What a fault can depend on. */
export interface Candidate {
  operation: string;
  path: Record<string, string | number>;
  headers: { get(name: string): string | null };
  text: string;
}

export function matches({ path = {}, headers = {}, ...rest }: FaultMatch, request: Candidate): boolean {
  return (
    Object.entries(path).every(([name, value]) => String(request.path[name]) === String(value)) &&
    Object.entries(headers).every(([name, value]) => request.headers.get(name.toLowerCase()) === value) &&
    (rest.body === undefined || contains(parsed(request.text), rest.body))
  );
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(actual) && expected.every((item, index) => contains(actual[index], item));
  if (!isRecord(expected)) return actual === expected;
  if (!isRecord(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && contains(actual[name], value),
  );
}
