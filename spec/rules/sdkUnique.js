import { isObject } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * Each operation must have a unique path in the client, and no method may also be a namespace.
 *
 * @param {unknown} document
 */
export default function sdkUnique(document) {
  /** @type {Map<string, string>} */
  const taken = new Map();
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const sdk = node['x-sdk'];
    const method = isObject(sdk) ? sdk.method : sdk;
    if (typeof method !== 'string') return [];
    const other = [...taken.keys()].find((name) => collide(name, method));
    taken.set(method, String(node.operationId));
    if (other === undefined) return [];
    const reason = other === method ? 'is taken' : `collides with ${other}`;
    return [{ message: `${method} ${reason} (operation ${taken.get(other)})`, path: [...path, 'x-sdk'] }];
  });
}

/**
 * @param {string} left
 * @param {string} right
 */
function collide(left, right) {
  return left === right || left.startsWith(`${right}.`) || right.startsWith(`${left}.`);
}
