import * as z from 'zod';
import { isRecord } from '../shared/is-record.ts';

/** Lists and maps with more entries than this are checked entry by entry. */
export const maxListLength = 1_000;

/** Checking a list stops after this many violations. */
export const maxViolations = 1_000;

type Issues = z.ZodError['issues'];

/** A list or map with entries of one schema, and its path below the body. */
interface Collection {
  path: string[];
  entry: z.ZodType;
}

const known = new WeakMap<z.ZodType, Collection[]>();

/**
 * Checks the long lists and maps of a value, and stops after {@link maxViolations}. A schema would collect the violations of
 * all of a million entries, which takes many seconds.
 *
 * @param report - receives the issues of an entry, and the path of the entry
 * @returns the value, with each reported collection replaced by an empty one, and the paths of these
 */
export function checkLongLists(
  schema: z.ZodType,
  value: unknown,
  report: (issues: Issues, path: string[]) => void,
): { rest: unknown; reported: string[] } {
  let rest = value;
  const reported: string[] = [];
  for (const { path, entry } of collectionsOf(schema)) {
    const found = path.reduce((inner: unknown, name) => (isRecord(inner) ? inner[name] : undefined), value);
    if (!isLong(found)) continue;
    let violations = 0;
    for (const [key, item] of entriesOf(found)) {
      const { error } = entry.safeParse(item, { reportInput: true });
      if (!error) continue;
      report(error.issues, [...path, String(key)]);
      violations += error.issues.length;
      if (violations >= maxViolations) break;
    }
    if (violations === 0) continue;
    rest = replaced(rest, path, Array.isArray(found) ? [] : {});
    reported.push(path.join('.'));
  }
  return { rest, reported };
}

function collectionsOf(schema: z.ZodType): Collection[] {
  const found = known.get(schema) ?? collect(schema, []);
  known.set(schema, found);
  return found;
}

function collect(schema: unknown, path: string[]): Collection[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return collect(schema.unwrap(), path);
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) return [{ path, entry: schema.element }];
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodType)
    return [{ path, entry: schema.valueType }];
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => collect(field, [...path, name]));
}

function entriesOf(value: object): Iterable<[string | number, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

function isLong(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > maxListLength;
  return isRecord(value) && Object.keys(value).length > maxListLength;
}

function replaced(value: unknown, [name, ...path]: string[], leaf: unknown): unknown {
  if (name === undefined || !isRecord(value)) return leaf;
  return { ...value, [name]: replaced(value[name], path, leaf) };
}
