import { entries, isObject, listOf } from './shared/nodes.js';

/**
 * The fields in `x-variants` must be properties of the schema, and no variant may require a field that it excludes.
 *
 * @param {unknown} document
 */
export default function variantFields(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  return entries(components.schemas).flatMap(([name, schema]) => {
    if (!isObject(schema) || !isObject(schema['x-variants'])) return [];
    const fields = entries(schema.properties).map(([field]) => field);
    return entries(schema['x-variants'].variants).flatMap(([variant, form]) =>
      faultsOf(form, fields).map((message) => ({
        message: `the variant ${variant} ${message}`,
        path: ['components', 'schemas', name, 'x-variants', 'variants', variant],
      })),
    );
  });
}

/**
 * @param {unknown} variant
 * @param {string[]} fields
 * @returns {string[]}
 */
function faultsOf(variant, fields) {
  if (!isObject(variant)) return [];
  const required = listOf(variant.required).map(String);
  const narrowed = entries(variant.properties);
  const unknown = [...required, ...narrowed.map(([field]) => field)].filter((field) => !fields.includes(field));
  const excluded = narrowed.filter(([field, narrow]) => narrow === false && required.includes(field));
  return [
    ...unknown.map((field) => `names ${field}, which is not a property of the schema`),
    ...excluded.map(([field]) => `requires ${field} and excludes it`),
  ];
}
