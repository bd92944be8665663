import type { JsonSchema } from '../../../shared/reference.ts';
import { type Field, follow } from '../../catalogue/fields.ts';
import type { Method } from '../../catalogue/methods.ts';
import { argumentFields, flagFields } from '../flags.ts';

/** Additional columns in a file of rejected rows. These columns are not parameters. */
export const addedColumns = ['line', 'key', 'reason'] as const;

/** Returns a method's column names: its parameters, and `object.field` for inner fields. */
export function columnNames(method: Method): string[] {
  return [...argumentFields(method), ...flagFields(method)].flatMap((field) => {
    const inner = Object.keys(innerFields(method, field));
    return inner.length > 0 ? inner.map((name) => `${field.name}.${name}`) : [field.name];
  });
}

/** Returns the schema of the items, if the field is a list of objects. */
export function itemOf(method: Method, { schema }: Field): JsonSchema | undefined {
  const item = schema.items && follow(method, schema.items);
  return item?.properties ? item : undefined;
}

/** Returns the fields of an object, or of the objects in a list. */
export function innerFields(method: Method, field: Field): Readonly<Record<string, JsonSchema>> {
  return (itemOf(method, field) ?? field.schema).properties ?? {};
}
