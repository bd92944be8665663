import { hasShape, isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * Content without a schema, or with an empty one, becomes `unknown` or disappears.
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
    return hasShape(node.schema) ? undefined : 'the schema of content has no shape';
  }
  if (kind !== 'requestBody' && kind !== 'response') return undefined;
  const empty = isObject(node.content) && Object.keys(node.content).length === 0;
  return empty ? '`content` has no media type: omit it if there is no body' : undefined;
}
