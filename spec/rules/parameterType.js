import { resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

const scalars = ['string', 'integer', 'number', 'boolean'];

/**
 * The value of a parameter has a type that the client writes: one integer or string in a path, and in a query one value or a list
 * of values.
 *
 * @param {unknown} document
 */
export default function parameterType(document) {
  return entriesOf(document, 'parameter').flatMap(({ node, path }) => {
    const schema = resolve(document, node.schema);
    const message = node.schema === undefined ? undefined : faultOf(document, node.in, schema);
    return message ? [{ message, path: [...path, 'schema'] }] : [];
  });
}

/**
 * @param {unknown} document
 * @param {unknown} place
 * @param {Record<string, unknown>} schema
 * @returns {string | undefined}
 */
function faultOf(document, place, schema) {
  const types = typesOf(schema);
  if (place === 'path')
    return types.length === 1 && ['string', 'integer'].includes(String(types[0]))
      ? undefined
      : 'a value in a path is one integer or one string: write `type: string` if it can be both';
  if (isValue(schema)) return undefined;
  if (types.join() === 'array')
    return isValue(resolve(document, schema.items)) ? undefined : 'a list in a query has items of one simple type';
  return `a value in a query has a simple type, which is not null: ${scalars.join(', ')}; or open an issue with the document that needs another one`;
}

/** @param {Record<string, unknown>} schema */
function isValue(schema) {
  const types = typesOf(schema).map(String);
  return types.length > 0 && types.every((type) => scalars.includes(type));
}
