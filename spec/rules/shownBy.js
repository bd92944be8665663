import { entriesOf } from './shared/walk.js';

/**
 * `x-shown-by` of an operation that changes something names an operation that only reads.
 *
 * @param {unknown} document
 */
export default function shownBy(document) {
  const operations = entriesOf(document, 'operation');
  const reading = operations.flatMap(({ node }) => (node['x-effect'] === 'read' ? [node.operationId] : []));
  return operations.flatMap(({ node, path }) => {
    const shown = node['x-shown-by'];
    if (shown === undefined) return [];
    const place = [...path, 'x-shown-by'];
    if (node['x-effect'] === 'read') return [{ message: 'only for operations that change something', path: place }];
    return reading.includes(shown) ? [] : [{ message: `no operation ${shown} that only reads`, path: place }];
  });
}
