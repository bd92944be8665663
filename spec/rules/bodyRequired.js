import { isObject, listOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * A body with a required field must itself be required, because `requestBody.required` defaults to false.
 *
 * @param {unknown} document
 */
export default function bodyRequired(document) {
  return entriesOf(document, 'requestBody')
    .filter(
      ({ node }) => node.required !== true && schemasOf(node).some((schema) => requiresField(document, schema, 0)),
    )
    .map(({ path }) => ({
      message: 'the schema requires a field, so write `required: true` on the request body',
      path,
    }));
}

/** @param {Record<string, unknown>} requestBody */
function schemasOf({ content }) {
  return isObject(content) ? Object.values(content).map((mediaType) => isObject(mediaType) && mediaType.schema) : [];
}

/**
 * @param {unknown} document
 * @param {unknown} node
 * @param {number} depth
 * @returns {boolean}
 */
function requiresField(document, node, depth) {
  if (depth > 20) return false;
  const schema = resolve(document, node);
  /** @param {unknown} part */
  const requires = (part) => requiresField(document, part, depth + 1);
  const alternatives = [listOf(schema.anyOf), listOf(schema.oneOf)].filter((branches) => branches.length > 0);
  return (
    listOf(schema.required).length > 0 ||
    listOf(schema.allOf).some(requires) ||
    alternatives.some((branches) => branches.every(requires))
  );
}
