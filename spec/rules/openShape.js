import { hasShape } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * Open schemas are marked: a schema with `additionalProperties: true`, with `items: true` or without any shape (no
 * type, reference, enum, constant or combination) has `x-open`, itself or on a surrounding schema.
 *
 * @param {unknown} document
 */
export default function openShape(document) {
  return shapesOf(document)
    .filter((entry) => isOpen(entry) && !isMarked(entry))
    .map(({ path }) => ({
      message: 'an open schema needs `x-open`: what is not documented, and what that means',
      path,
    }));
}

/** @param {Entry} entry */
function isOpen({ node, role, parent }) {
  if (node.additionalProperties === true || node.items === true) return true;
  // Separate rules forbid empty branches and empty schemas of content.
  const ruled = ['allOf', 'anyOf', 'oneOf'].includes(role) || parent?.kind === 'mediaType';
  return !ruled && !hasShape(node);
}

/**
 * @param {Entry} entry
 * @returns {boolean}
 */
function isMarked({ node, parent }) {
  if (node['x-open'] !== undefined) return true;
  return parent?.kind === 'schema' && isMarked(parent);
}
