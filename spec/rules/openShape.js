import { entries, hasShape, typesOf } from './shared/nodes.js';
import { entriesOf, shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * What the documents leave open is marked: a schema that takes any value, and a success that may have a body have `x-open`.
 *
 * @param {unknown} spec
 */
export default function openShape(spec) {
  return [
    ...shapesOf(spec).flatMap((entry) => {
      const { node, path } = entry;
      const isEmpty =
        typesOf(node).includes('object') && entries(node.properties).length === 0 && !node.additionalProperties;
      if (isEmpty) return [{ message: 'an object needs `properties` or `additionalProperties`', path }];
      const message = 'an open schema needs `x-open`: what is not documented, and what that means';
      return isOpen(entry) && !isMarked(entry) ? [{ message, path }] : [];
    }),
    ...entriesOf(spec, 'response')
      .filter(({ node, path }) => {
        const isSilent = node.$ref === undefined && entries(node.content).length === 0 && node['x-open'] === undefined;
        return isSilent && /^2(?!04)/.test(String(path.at(-1)));
      })
      .map(({ path }) => ({
        message: 'a success without content needs `x-open`: it is not documented whether it has a body',
        path,
      })),
  ];
}

/** @param {Entry} entry */
function isOpen({ node, role }) {
  if (node.additionalProperties === true || node.items === true) return true;
  return !['allOf', 'anyOf'].includes(role) && !hasShape(node);
}

/**
 * @param {Entry} entry
 * @returns {boolean}
 */
function isMarked({ node, parent }) {
  if (node['x-open'] !== undefined) return true;
  return parent?.kind === 'schema' && isMarked(parent);
}
