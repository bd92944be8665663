import { entries, isObject, typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/**
 * A bare `type: object` becomes `Record<string, never>`, whose properties cannot be read. A list names its items.
 *
 * @param {unknown} document
 */
export default function bareObject(document) {
  return shapesOf(document).flatMap(({ node, path }) => {
    const types = typesOf(node);
    if (types.includes('array') && node.items === undefined)
      return [{ message: 'a list needs `items`, with a description if any value is possible', path }];
    const isBare = entries(node.properties).length === 0 && !isOpen(node.additionalProperties);
    return types.includes('object') && isBare
      ? [{ message: 'an object needs `properties` or `additionalProperties`', path }]
      : [];
  });
}

/** @param {unknown} additionalProperties */
function isOpen(additionalProperties) {
  return additionalProperties === true || isObject(additionalProperties);
}
