import { entries, isObject, resolve } from './shared/nodes.js';
import { entriesOf, walk } from './shared/walk.js';

/**
 * Schemas of requests have no `allOf`: the commands, agents and jobs take the fields of one schema, and would lose those of parts.
 *
 * @param {unknown} document
 */
export default function bodyWhole(document) {
  const sent = new Set(
    entriesOf(document, 'operation').flatMap(({ node }) => referencesIn(resolve(document, node.requestBody))),
  );
  for (const reference of sent) for (const next of referencesIn(resolve(document, { $ref: reference }))) sent.add(next);
  return walk(document)
    .filter(
      ({ kind, node, path }) =>
        kind === 'schema' && node.allOf !== undefined && sent.has(`#/${path.slice(0, 3).join('/')}`),
    )
    .map(({ path }) => ({
      message:
        'a request has no `allOf`: write the fields in one schema, or give the record a schema of its own for requests',
      path: [...path, 'allOf'],
    }));
}

/**
 * @param {unknown} node
 * @returns {string[]}
 */
function referencesIn(node) {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  if (!isObject(node)) return [];
  return entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : key === 'examples' ? [] : referencesIn(value),
  );
}
