import { entries, isObject, isText, listOf, resolve } from './shared/nodes.js';

const keys = ['x-title', 'x-columns'];

/**
 * The title and the columns of a record must be lists of its fields.
 *
 * @param {unknown} document
 */
export default function titleFields(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  return entries(components.schemas).flatMap(([name, schema]) =>
    keys.flatMap((key) => {
      if (!isObject(schema) || schema[key] === undefined) return [];
      const fields = schema[key];
      const path = ['components', 'schemas', name, key];
      if (!Array.isArray(fields) || fields.length === 0)
        return [{ message: `${key} is a list of fields of the record: [name]`, path }];
      const known = propertiesOf(document, schema);
      return fields
        .filter((field) => !isText(field) || !known.includes(field))
        .map((field) => ({ message: `${key} names ${field}, which is no field of ${name}`, path }));
    }),
  );
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} schema
 * @returns {string[]}
 */
function propertiesOf(document, schema) {
  const bases = listOf(schema.allOf).map((base) => resolve(document, base));
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...bases.flatMap((base) => (isObject(base) ? propertiesOf(document, base) : []))];
}
