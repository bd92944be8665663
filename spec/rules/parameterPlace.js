import { entriesOf } from './shared/walk.js';

/**
 * @typedef {object} Headers
 * @property {string[]} ignored names that OpenAPI ignores
 * @property {string[]} forbidden names, or prefixes that end with `-`, that web pages may not send
 * @property {string} credential pattern of names that carry a credential
 */

/**
 * A parameter is in the path, the query or a header, and a header is one that the client can send.
 *
 * @param {unknown} document
 * @param {Headers} headers
 */
export default function parameterPlace(document, headers) {
  return entriesOf(document, 'parameter').flatMap(({ node, path }) => {
    if (node.in === 'cookie') {
      const message = 'a cookie is refused: pages cannot set one; it would be built in `src/client/core/transport.ts`';
      return [{ message, path: [...path, 'in'] }];
    }
    const message = node.in === 'header' ? faultOf(String(node.name).toLowerCase(), headers) : undefined;
    return message ? [{ message, path: [...path, 'name'] }] : [];
  });
}

/**
 * @param {string} name
 * @param {Headers} headers
 */
function faultOf(name, { ignored, forbidden, credential }) {
  if (!/^[a-z0-9-]+$/.test(name)) return `the name of a header has letters, digits and hyphens, not '${name}'`;
  if (ignored.includes(name)) return `OpenAPI ignores the header ${name}: the client writes it itself, so remove it`;
  if (forbidden.some((part) => (part.endsWith('-') ? name.startsWith(part) : name === part)))
    return `web pages may not send the header ${name}: describe it in the operation, with x-open`;
  return new RegExp(credential).test(name)
    ? `the header ${name} carries a credential: the client sends one bearer token; a second credential would be built in src/client/core/authorizer.ts`
    : undefined;
}
