import { hasShape, isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * Content without a schema, or with an empty one, becomes `unknown` or nothing at all.
 *
 * @param {unknown} document
 */
export default function contentSchema(document) {
  return walk(document).flatMap((entry) => {
    const message = faultOf(entry);
    return message ? [{ message, path: entry.path }] : [];
  });
}

/** @param {Entry} entry */
function faultOf({ kind, node }) {
  if (kind === 'mediaType') {
    if (!isObject(node.schema)) return 'content needs a schema';
    return hasShape(node.schema) ? undefined : 'the schema of content says nothing about its shape';
  }
  if (kind !== 'requestBody' && kind !== 'response') return undefined;
  const empty = isObject(node.content) && Object.keys(node.content).length === 0;
  return empty ? '`content` names no media type: leave it out where there is no body' : undefined;
}
