import type { ZodError, ZodType } from 'zod';
import { Refusal } from './refusal.ts';
import type { AnyRule } from './rules.ts';

/** A place in a request that does not fit, and why. */
export interface Violation {
  /** `['body', 'price']` */
  location: string[];
  message: string;
}

/** What a request does not fit, in the two groups between which the documented codes come. */
export interface Checked {
  /** Wrong types, missing fields, values outside an enum. */
  shape: Violation[];
  /** Lengths, ranges, numbers of items, patterns. */
  limits: Violation[];
}

type Issue = ZodError['issues'][number];

/** Issues of zod that break a plain limit; every other one breaks the shape. */
const limitCodes = new Set(['too_big', 'too_small', 'invalid_format', 'not_multiple_of']);

/** Holds a value against a schema; `place` is where the value stands in the request. */
export function check(place: string | readonly string[], schema: ZodType | undefined, value: unknown): Checked {
  const checked: Checked = { shape: [], limits: [] };
  const result = schema?.safeParse(value);
  for (const issue of result?.error?.issues ?? []) sort(issue, [place].flat(), checked);
  return checked;
}

function sort(issue: Issue, before: string[], checked: Checked): void {
  const location = [...before, ...issue.path.map(String)];
  // Of a union that nothing fits, the branch that comes nearest tells most.
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

/** What a union of single values takes: an enum of numbers is written as one. */
function expectedValues(issues: readonly Issue[]): unknown[] | undefined {
  const values = issues.flatMap((issue) =>
    issue.code === 'invalid_value' && issue.path.length === 0 ? issue.values : [],
  );
  return values.length > 1 && values.length === issues.length ? values : undefined;
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (limitCodes.has(issue.code) ? 1 : 0)));
}

/** The failed answer for violations; the documents show its body nowhere, and a rule for it in few places. */
export function violationRefusal(violations: Violation[], rule?: AnyRule): Refusal {
  return new Refusal({
    status: 422,
    body: { message: 'The request does not fit the specification.', violations },
    choice: 'request-shape',
    ...(rule && { rule }),
  });
}

/** Path and query values as the schemas want them: numbers where they are numbers, lists where a name comes twice. */
export function readQuery(search: URLSearchParams, numbers: readonly string[] = []): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name).map((value) => (numbers.includes(name) ? asNumber(value) : value));
    Object.defineProperty(query, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return query;
}

export function asNumber(text: string): string | number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
