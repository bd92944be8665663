import type { ZodError, ZodType } from 'zod';
import { Refusal } from './refusal.ts';
import type { AnyRule } from './rules.ts';

/** A location in a request that breaks the schema, and the reason. */
export interface Violation {
  /** `['body', 'price']` */
  location: string[];
  message: string;
}

/** Violations in two groups. Rules with a documented reply are checked after the shape and before the limits. */
export interface Checked {
  /** Wrong types, missing fields, values outside an enum. */
  shape: Violation[];
  /** Wrong lengths, ranges, item counts and patterns, and fields that do not go together. */
  limits: Violation[];
}

type Issue = ZodError['issues'][number];

/** Zod issue codes about limits. All other issues are about the shape. */
const limitCodes = new Set(['too_big', 'too_small', 'invalid_format', 'not_multiple_of']);

/** Checks a value against a schema. `place` is its location in the request. */
export function validate(place: string | readonly string[], schema: ZodType | undefined, value: unknown): Checked {
  const checked: Checked = { shape: [], limits: [] };
  const result = schema?.safeParse(value);
  for (const issue of result?.error?.issues ?? []) sort(issue, [place].flat(), checked);
  return checked;
}

function sort(issue: Issue, before: string[], checked: Checked): void {
  const location = [...before, ...issue.path.map(String)];
  // If no branch of a union matches, report the issues of the closest branch.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const expected = expectedValues(issue.errors.flat());
    if (expected) {
      checked.shape.push({ location, message: `Invalid input: expected one of ${expected.join(', ')}` });
      return;
    }
    const nearest = issue.errors.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
    for (const inner of nearest) sort(inner, location, checked);
    return;
  }
  // A custom issue is about fields that do not go together.
  const isLimit = issue.code === 'custom' || limitCodes.has(issue.code);
  (isLimit ? checked.limits : checked.shape).push({ location, message: issue.message });
}

/** The values that a union of literals accepts. Zod schemas express an enum of numbers as such a union. */
function expectedValues(issues: readonly Issue[]): unknown[] | undefined {
  const values = issues.flatMap((issue) =>
    issue.code === 'invalid_value' && issue.path.length === 0 ? issue.values : [],
  );
  return values.length > 1 && values.length === issues.length ? values : undefined;
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (limitCodes.has(issue.code) ? 1 : 0)));
}

/** The refusal for violations. Its body is not documented, and only a few operations have a documented rule. */
export function violationRefusal(violations: Violation[], rule?: AnyRule): Refusal {
  return new Refusal({
    status: 422,
    body: { message: 'The request does not match the specification.', violations },
    choice: 'request-shape',
    ...(rule && { rule }),
  });
}

/**
 * Returns the entries of a map of texts. The validators skip the key `__proto__`, so its value is checked here.
 *
 * @param location - location of the map in the request, such as `['body', 'variables']`
 */
export function textEntries(texts: Readonly<Record<string, string>> = {}, location: string[]): [string, string][] {
  const entries = Object.entries(texts);
  const other = entries.find(([, text]) => typeof text !== 'string');
  if (other) throw violationRefusal([{ location: [...location, other[0]], message: 'Invalid input: expected string' }]);
  return entries;
}
