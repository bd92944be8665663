import { entriesOf } from './shared/walk.js';

const pairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
];

/**
 * A lower limit must not be above the upper one: no value would fit.
 *
 * @param {unknown} document
 */
export default function limitsOrdered(document) {
  return entriesOf(document, 'schema').flatMap(({ node, path }) =>
    pairs
      .filter(([least = '', most = '']) => Number(node[least]) > Number(node[most]))
      .map(([least = '', most = '']) => ({
        message: `no value fits: \`${least}: ${node[least]}\` is above \`${most}: ${node[most]}\``,
        path: [...path, least],
      })),
  );
}
