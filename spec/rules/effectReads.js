import { entriesOf } from './shared/walk.js';

/**
 * `x-effect: read` must agree with the facts that make a request repeatable: a GET reads, and so does a POST that is marked
 * safe. A DELETE, a PUT and any other POST do not.
 *
 * @param {unknown} document
 */
export default function effectReads(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const method = String(path.at(-1));
    const reads = method === 'get' || (method === 'post' && node['x-safe'] === true);
    if (node['x-effect'] === undefined || (node['x-effect'] === 'read') === reads) return [];
    const message = reads
      ? `only reads, so x-effect is read, not ${node['x-effect']}`
      : 'x-effect is read only for a GET, or for a POST that is marked `x-safe: true`';
    return [{ message, path: [...path, 'x-effect'] }];
  });
}
