import type { core, ZodError, ZodType } from 'zod';
import { asAssumption } from '../../shared/inferred-limits.ts';
import { maxListed } from '../limits.ts';
import { Rejection } from './rejection.ts';
import type { AnyRule } from './rules.ts';

/** A location in a request that violates the schema, and the reason. */
export interface Violation {
  /** Path of the value, such as `['body', 'price']`. */
  location: string[];
  message: string;
  /** Present if the violated limit is not documented. In this case, the service may accept the request. */
  inferred?: true;
}

/** Returns the schema keyword that a value violates, such as `maxLength`, if the documents do not state this limit. */
type BrokenInferredLimit = (issue: core.$ZodIssue, location: readonly string[]) => string | undefined;

/** Violations in two groups. Rules with a documented response are checked after the shape and before the limits. */
export interface Checked {
  /** Wrong types, missing fields, values outside an enum. */
  shape: Violation[];
  /** Wrong lengths, ranges, item counts and patterns, and fields that exclude each other but are both present. */
  limits: Violation[];
}

type Issue = ZodError['issues'][number];

/** Zod issue codes about limits. All other issues are about the shape. */
const limitCodes = new Set(['too_big', 'too_small', 'invalid_format', 'not_multiple_of']);

const valid: Checked = { shape: [], limits: [] };

/**
 * Checks a value against a schema.
 *
 * @param place - location of the value in the request
 */
export function validate(
  place: string,
  schema: ZodType | undefined,
  value: unknown,
  inferredLimit: BrokenInferredLimit,
): Checked {
  const { error } = schema?.safeParse(value, { reportInput: true }) ?? {};
  if (!schema || !error) return valid;
  const checked: Checked = { shape: [], limits: [] };
  for (const issue of error.issues) sort(issue, [place], checked, inferredLimit);
  return checked;
}

function sort(issue: Issue, before: string[], checked: Checked, inferredLimit: BrokenInferredLimit): void {
  const location = [...before, ...issue.path.map(String)];
  const keyword = inferredLimit(issue, location);
  const violation = (message: string): Violation =>
    keyword === undefined
      ? { location, message }
      : { location, message: asAssumption(message, keyword), inferred: true };
  // If no branch of a union matches, report the issues of the closest branch.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const expected = expectedValues(issue.errors.flat());
    if (expected) {
      checked.shape.push(violation(`Invalid input: expected one of ${expected.join(', ')}`));
      return;
    }
    const nearest = issue.errors.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
    for (const inner of nearest) sort(inner, location, checked, inferredLimit);
    return;
  }
  // A custom issue is about mutually exclusive fields.
  const isLimit = issue.code === 'custom' || limitCodes.has(issue.code);
  (isLimit ? checked.limits : checked.shape).push(violation(issue.message));
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

/**
 * Returns the rejection for violations of a schema. The documents do not describe its body, and state the violated rule only
 * for a few operations. The body contains the first violations and the total number of violations. The message contains the
 * first violation, because client errors show only the message.
 */
export function violationRejection(all: readonly Violation[], rule?: AnyRule): Rejection {
  const violations = all.slice(0, maxListed).map(({ location, message, inferred }) => ({
    location: location.map((name) => shortened(name, 100)),
    message: shortened(message, 500),
    ...(inferred && { inferred }),
  }));
  return new Rejection({
    status: 422,
    body: { message: summary(violations, all.length), violations, violationCount: all.length },
    choice: 'request-shape',
    ...(rule && { rule }),
  });
}

function summary([first]: readonly Violation[], count: number): string {
  const others = count > 1 ? ` (and ${count - 1} more)` : '';
  const place = first ? `${first.location.join('.')}: ${first.message}` : '';
  return `The request does not match the specification: ${place}${others}`;
}

function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/**
 * Returns the entries of a map of strings. The validators skip the key `__proto__`, so its value is checked here.
 *
 * @param location - location of the map in the request, such as `['body', 'variables']`
 */
export function stringEntries(map: Readonly<Record<string, string>> = {}, location: string[]): [string, string][] {
  const entries = Object.entries(map);
  const other = entries.find(([, value]) => typeof value !== 'string');
  if (other)
    throw violationRejection([{ location: [...location, other[0]], message: 'Invalid input: expected string' }]);
  return entries;
}
