import { entries, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

const scalars = ['string', 'integer', 'number', 'boolean'];

/**
 * The value of a parameter has a type that the client writes: one integer or string in a path, one value in a header, and in a
 * query one value, a list of values, or an object whose fields are known.
 *
 * @param {unknown} document
 */
export default function parameterType(document) {
  return entriesOf(document, 'parameter').flatMap(({ node, path }) => {
    const schema = resolve(document, node.schema);
    const message = node.schema === undefined ? undefined : faultOf(document, String(node.in), schema, node.style);
    return message ? [{ message, path: [...path, 'schema'] }] : [];
  });
}

/**
 * @param {unknown} document
 * @param {string} place
 * @param {Record<string, unknown>} schema
 * @param {unknown} style
 * @returns {string | undefined}
 */
function faultOf(document, place, schema, style) {
  const types = typesOf(schema);
  if (place === 'path')
    return types.length === 1 && ['string', 'integer'].includes(String(types[0]))
      ? undefined
      : 'a value in a path is one integer or one string: write `type: string` if it can be both';
  if (isValue(schema)) return undefined;
  if (place === 'query' && types.join() === 'array')
    return isValue(resolve(document, schema.items)) ? undefined : 'a list in a query has items of one simple type';
  const fields = entries(schema.properties).map(([, field]) => resolve(document, field));
  if (place === 'query' && types.join() === 'object')
    return fields.length > 0 && fields.every(isValue) && !schema.additionalProperties
      ? undefined
      : `an object in a query${style ? ` (${style})` : ''} has known fields of simple types: declare them in \`properties\``;
  return `a value in a ${place} has a simple type, which is not null: ${scalars.join(', ')}`;
}

/** @param {Record<string, unknown>} schema */
function isValue(schema) {
  const types = typesOf(schema).map(String);
  return types.length > 0 && types.every((type) => scalars.includes(type));
}
