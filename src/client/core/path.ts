import { type Operation, own } from '../../shared/operation.ts';
import { BadValue, inside } from './bad-value.ts';

/**
 * Fills a path such as `/deals/{dealId}`. Refuses values that could lead to a different path: missing and empty ones, `.` and
 * `..` (which URL parsers resolve, even percent-encoded), and values of the wrong type.
 *
 * @param place - path of the values, for errors
 * @throws {@link BadValue} naming the parameter, never its value
 */
export function fillPath(
  { path, record }: Pick<Operation, 'path' | 'record'>,
  values: Readonly<Record<string, unknown>>,
  place: string,
): string {
  return path.split('{').reduce((filled, part) => {
    const [name = '', after] = part.split('}');
    const value = own(values, name);
    const isText = record.text?.includes(name) === true;
    const problem = problemOf(value, isText);
    if (problem) throw new BadValue(inside(place, name), problem);
    return filled + (isText ? encodeURIComponent(String(value)) : value) + after;
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
  // URL parsers resolve a dot segment even if it is percent-encoded (WHATWG URL, "double-dot path segment").
  if (/^(\.|%2e){1,2}$/i.test(value)) return 'must not be a dot segment';
  return /\p{Surrogate}/u.test(value) ? 'must be well-formed Unicode' : undefined;
}
