import { isRecord } from '../../../shared/is-record.ts';

/** The fields that no record of a value has: they are misspelt, or empty everywhere. */
export function missingFields(value: unknown, fields: readonly string[]): string[] {
  return fields.filter((field) => !hasField(value, field));
}

function hasField(value: unknown, field: string): boolean {
  // An empty list shows nothing.
  if (Array.isArray(value)) return value.length === 0 || value.some((item) => hasField(item, field));
  if (!isRecord(value)) return false;
  if (Object.hasOwn(value, field)) return true;
  const dot = field.indexOf('.');
  return (
    dot > 0 && Object.hasOwn(value, field.slice(0, dot)) && hasField(value[field.slice(0, dot)], field.slice(dot + 1))
  );
}

/**
 * Keeps some fields of a value.
 *
 * @param value - a record, or a list of records
 * @param fields - their names; a dot leads into a record or into each record of a list: `contacts.email`
 */
export function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => selectFields(item, fields));
  if (!isRecord(value)) return value;
  const wanted = new Map<string, string[]>();
  for (const field of fields) {
    const dot = field.indexOf('.');
    // A field can have a dot in its name.
    const whole = dot === -1 || Object.hasOwn(value, field);
    const name = whole ? field : field.slice(0, dot);
    const inner = wanted.get(name) ?? [];
    if (!whole) inner.push(field.slice(dot + 1));
    wanted.set(name, inner);
  }
  return Object.fromEntries(
    [...wanted]
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, inner]) => [name, selectFields(value[name], inner)]),
  );
}
