import { entries, isObject, listOf, resolve } from './shared/nodes.js';

/**
 * The fields in `x-variants` must be properties of the schema, and no variant may require a field that it excludes. Each value
 * of an enum must be in a variant, because parameter types would refuse it.
 *
 * @param {unknown} document
 */
export default function variantFields(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  return entries(components.schemas).flatMap(([name, schema]) => {
    if (!isObject(schema) || !isObject(schema['x-variants'])) return [];
    const fields = entries(schema.properties).map(([field]) => field);
    const variants = entries(schema['x-variants'].variants);
    const path = ['components', 'schemas', name, 'x-variants', 'variants'];
    return [
      ...variants.flatMap(([variant, form]) =>
        faultsOf(form, fields).map((message) => ({
          message: `the variant ${variant} ${message}`,
          path: [...path, variant],
        })),
      ),
      ...entries(schema.properties).flatMap(([field, property]) => {
        const forms = variants.map(([, form]) =>
          isObject(form) && isObject(form.properties) ? form.properties[field] : {},
        );
        const taken = forms.map((form) => (form === false ? [] : valuesOf(document, form)));
        if (taken.includes(undefined)) return [];
        return (valuesOf(document, property) ?? [])
          .filter((value) => !taken.some((values) => values?.includes(value)))
          .map((value) => ({ message: `no variant takes ${value} as ${field}: add it to one of them`, path }));
      }),
    ];
  });
}

/**
 * The values of an enum or a constant, or `undefined` if a schema does not list them.
 *
 * @param {unknown} document
 * @param {unknown} schema
 * @returns {unknown[] | undefined}
 */
function valuesOf(document, schema) {
  const found = resolve(document, schema);
  if ('const' in found) return [found.const];
  return Array.isArray(found.enum) ? found.enum : undefined;
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
