import { isObject } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * Each operation must have a unique path in the client, and no method may also be a namespace. The types of a method are named after its
 * path, so two paths must differ in more than capitals and dots.
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
  return typeName(left) === typeName(right) || left.startsWith(`${right}.`) || right.startsWith(`${left}.`);
}

/** @param {string} method */
function typeName(method) {
  return method.replaceAll(/(?:^|\.)(\w)/g, (_, letter) => letter.toUpperCase());
}
