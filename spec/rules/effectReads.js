import { entriesOf } from './shared/walk.js';

/**
 * `x-effect: read` must agree with the HTTP method: a GET only reads, a POST can, and the other methods do not.
 *
 * @param {unknown} document
 */
export default function effectReads(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const method = String(path.at(-1));
    if (node['x-effect'] === undefined || method === 'post' || (node['x-effect'] === 'read') === (method === 'get'))
      return [];
    const message =
      method === 'get'
        ? `a GET only reads, so x-effect is read, not ${node['x-effect']}`
        : 'x-effect is read only for GET and POST';
    return [{ message, path: [...path, 'x-effect'] }];
  });
}
