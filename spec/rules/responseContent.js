import { entries, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * A 204 has no body. Any other success without a documented body needs `x-open`.
 *
 * @param {unknown} document
 */
export default function responseContent(document) {
  return entriesOf(document, 'responses').flatMap(({ node, path }) =>
    entries(node).flatMap(([status, reference]) => {
      const message = faultOf(status, resolve(document, reference));
      return message ? [{ message, path: [...path, status] }] : [];
    }),
  );
}

/**
 * @param {string} status
 * @param {Record<string, unknown>} response
 */
function faultOf(status, response) {
  // `content-schema` reports an empty one.
  if (status === '204') return entries(response.content).length === 0 ? undefined : 'a 204 has no content';
  if (!/^2\d\d$/.test(status) || response.content !== undefined || response['x-open'] !== undefined) return undefined;
  return `a ${status} without content needs \`x-open\`: it is not documented whether it has a body`;
}
