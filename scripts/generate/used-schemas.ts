import type { Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';

/**
 * The components with these names, and those that they refer to, in the form of a generated file.
 *
 * @param write - converts a component
 */
export function usedSchemas<Written extends object>(
  { document }: Spec,
  names: Iterable<string>,
  write: (schema: Schema) => Written,
): Record<string, Written> {
  const used = new Set(names);
  const schemas: Record<string, Written> = {};
  for (const name of used) {
    const schema = document.components.schemas[name];
    if (!schema) throw new Error(`There is no schema ${name}`);
    schemas[name] = write(schema);
    for (const reference of referencesIn(schemas[name])) used.add(reference);
  }
  return schemas;
}

/** The components that a value refers to, in a spec or in a generated file. */
export function referencesIn(value: object): string[] {
  const references = JSON.stringify(value).matchAll(/"#\/(?:components\/schemas|\$defs)\/(\w+)"/g);
  return Array.from(references, ([, name = '']) => name);
}
