import { entries, isObject, listOf } from './shared/nodes.js';

/**
 * `x-record` lists the open records that a body writes: components that accept custom fields of an account.
 *
 * @param {unknown} document
 */
export default function recordKnown(document) {
  const components = isObject(document) && isObject(document.components) ? document.components : {};
  const schemas = isObject(components.schemas) ? components.schemas : {};
  return entries(schemas).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    return listOf(schema['x-record'])
      .filter((record) => typeof record === 'string' && !isOpenRecord(schemas[record]))
      .map((record) => ({
        message: `x-record names ${record}, which is not a component of type object with additionalProperties: true`,
        path: ['components', 'schemas', name, 'x-record'],
      }));
  });
}

/** @param {unknown} schema */
function isOpenRecord(schema) {
  return isObject(schema) && schema.type === 'object' && schema.additionalProperties === true;
}
