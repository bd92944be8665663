import { entries, isObject, listOf } from './shared/nodes.js';

/**
 * A record declares every field of the bodies that write it (`x-record`). Otherwise its type lacks the field, and sandbox and mock
 * answer without it.
 *
 * @param {unknown} document
 */
export default function recordFields(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  const schemas = isObject(components.schemas) ? components.schemas : {};
  return entries(schemas).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    // Other rules report a name that is not that of an open record.
    const records = listOf(schema['x-record']).flatMap((record) => {
      const found = schemas[String(record)];
      return isObject(found) && found.additionalProperties === true
        ? [{ record, known: entries(found.properties) }]
        : [];
    });
    return entries(schema.properties).flatMap(([field]) =>
      records
        .filter(({ known }) => !known.some(([declared]) => declared === field))
        .map(({ record }) => ({
          message: `${record} has no field '${field}', which this body writes: add it to the properties of ${record}`,
          path: ['components', 'schemas', name, 'properties', field],
        })),
    );
  });
}
