import type { ZodError, ZodType } from 'zod';
import { Refusal } from './refusal.ts';
import type { AnyRule } from './rules.ts';

/** A place in a request that does not fit, and why. */
export interface Violation {
  /** `['body', 'price']` */
  location: string[];
  message: string;
}

/** Violations in two groups: rules with a documented reply are checked between them. */
export interface Checked {
  /** Wrong types, missing fields, values outside an enum. */
  shape: Violation[];
  /** Lengths, ranges, numbers of items, patterns. */
  limits: Violation[];
}

type Issue = ZodError['issues'][number];

/** Issues of zod about a plain limit; every other issue is about the shape. */
const limitCodes = new Set(['too_big', 'too_small', 'invalid_format', 'not_multiple_of']);

/** Compares a value with a schema; `place` is its location in the request. */
export function validate(place: string | readonly string[], schema: ZodType | undefined, value: unknown): Checked {
  const checked: Checked = { shape: [], limits: [] };
  const result = schema?.safeParse(value);
  for (const issue of result?.error?.issues ?? []) sort(issue, [place].flat(), checked);
  return checked;
}

function sort(issue: Issue, before: string[], checked: Checked): void {
  const location = [...before, ...issue.path.map(String)];
  // If no branch of a union fits, the branch that comes nearest says most.
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
  (limitCodes.has(issue.code) ? checked.limits : checked.shape).push({ location, message: issue.message });
}

/** The values that a union of single values accepts: an enum of numbers is written as one. */
function expectedValues(issues: readonly Issue[]): unknown[] | undefined {
  const values = issues.flatMap((issue) =>
    issue.code === 'invalid_value' && issue.path.length === 0 ? issue.values : [],
  );
  return values.length > 1 && values.length === issues.length ? values : undefined;
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (limitCodes.has(issue.code) ? 1 : 0)));
}

/** The failed reply for violations. The documents do not show its body, and have a rule for it in few places. */
export function violationRefusal(violations: Violation[], rule?: AnyRule): Refusal {
  return new Refusal({
    status: 422,
    body: { message: 'The request does not fit the specification.', violations },
    choice: 'request-shape',
    ...(rule && { rule }),
  });
}

/**
 * The entries of a map of texts. The validators skip a key that is called `__proto__`, so its value is checked here.
 *
 * @param location - where the map is, such as `['body', 'variables']`
 */
export function textEntries(texts: Readonly<Record<string, string>> = {}, location: string[]): [string, string][] {
  const entries = Object.entries(texts);
  const other = entries.find(([, text]) => typeof text !== 'string');
  if (other) throw violationRefusal([{ location: [...location, other[0]], message: 'Invalid input: expected string' }]);
  return entries;
}
