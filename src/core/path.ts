import { ArgumentError } from './errors/local-errors.ts';
import { type OperationRecord, own } from './operation.ts';

/**
 * Fills a path such as `/deals/{dealId}`. Refuses values that would call something else than what the path says: a
 * missing one, an empty one, `.` and `..` (which URL parsing climbs over, also percent-encoded), and one that is not of
 * the documented type.
 *
 * @throws {@link ArgumentError} naming the parameter, never its value
 */
export function fillPath(
  template: string,
  operation: OperationRecord,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return template.split('{').reduce((path, part) => {
    const [name = '', after] = part.split('}');
    const value = own(values, name);
    const isText = operation.text?.includes(name) === true;
    const problem = problemOf(value, isText);
    if (problem) throw new ArgumentError(`${operation.id}: path parameter ${name} ${problem}; nothing was sent`);
    return path + (isText ? encodeURIComponent(String(value)) : value) + after;
  });
}

function problemOf(value: unknown, isText: boolean): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  if (!isText) {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? undefined : 'must be an integer';
  }
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  // A lone dot segment is resolved by URL parsers even when percent-encoded (WHATWG URL, "double-dot path segment").
  if (/^(\.|%2e){1,2}$/i.test(value)) return 'must not be a dot segment';
  return /\p{Surrogate}/u.test(value) ? 'must be well-formed Unicode' : undefined;
}
