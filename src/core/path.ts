import { ArgumentError } from './errors/local-errors.ts';
import type { OperationData } from './operation.ts';

/**
 * Fills the path of `GET /deals/{dealId}`. Refuses values that would call something else than what the path says: a
 * missing one, an empty one, `.` and `..` (which URL parsing climbs over, also percent-encoded), and one that is not of
 * the documented type.
 *
 * @throws {@link ArgumentError} naming the parameter, never its value
 */
export function fillPath(
  key: string,
  operation: OperationData,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return key.slice(key.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const problem = operation.text?.includes(name) ? textProblem(value) : integerProblem(value);
    if (problem) throw new ArgumentError(`${operation.id}: path parameter ${name} ${problem}; nothing was sent`);
    return encodeURIComponent(String(value));
  });
}

function integerProblem(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? undefined : 'must be an integer';
}

function textProblem(value: unknown): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  // A lone dot segment is resolved by URL parsers even when percent-encoded (WHATWG URL, "double-dot path segment").
  if (/^(\.|%2e){1,2}$/i.test(value)) return 'must not be a dot segment';
  return /\p{Surrogate}/u.test(value) ? 'must be well-formed Unicode' : undefined;
}
