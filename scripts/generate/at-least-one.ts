import type { Schema } from '../spec/schema.ts';
import { propertyKey } from './names.ts';

/** Whether the type of an object needs at least one of its fields, although none of them is required. */
export function needsField(schema: Schema): boolean {
  return schema['x-at-least-one'] === true;
}

/**
 * The union of one object for each field of a schema, in which the field is required. With `&`, it makes an object need one of
 * them.
 *
 * @param typeOf - writes the type of a field
 */
export function oneOfFields({ properties = {} }: Schema, typeOf: (field: Schema) => string): string {
  const comment = '/** Required if no other field is given. */';
  const objects = Object.entries(properties).map(
    ([name, field]) => `{\n${comment}\n${propertyKey(name)}: ${typeOf(field)} }`,
  );
  return `(${objects.join(' | ')})`;
}
