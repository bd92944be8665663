import { entries, isObject, typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/**
 * A bare `type: object` becomes `Record<string, never>`, whose properties cannot be read.
 *
 * @param {unknown} document
 */
export default function bareObject(document) {
  return shapesOf(document)
    .filter(({ node }) => typesOf(node).includes('object'))
    .filter(({ node }) => entries(node.properties).length === 0 && !isOpen(node.additionalProperties))
    .map(({ path }) => ({ message: 'an object needs `properties` or `additionalProperties`', path }));
}

/** @param {unknown} additionalProperties */
function isOpen(additionalProperties) {
  return additionalProperties === true || isObject(additionalProperties);
}
