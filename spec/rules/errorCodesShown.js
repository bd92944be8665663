import { entries, isObject, listOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/nodes.js').Problem} Problem */

/**
 * The failed replies of an operation with `x-errors` show exactly its codes in `message`: each code has a named example, and
 * is in the examples of the field.
 *
 * @param {unknown} document
 */
export default function errorCodesShown(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const codes = entries(node['x-errors']).map(([code]) => code);
    if (codes.length === 0) return [];
    const media = failures(document, node).flatMap(({ content }) => entries(content).map(([, one]) => one));
    const examples = media.flatMap((one) => (isObject(one) ? entries(one.examples) : []));
    const shown = examples.flatMap(([, example]) => (isObject(example) ? messageOf(example.value) : []));
    const listed = media.flatMap((one) => (isObject(one) ? listedCodes(document, one.schema) : []));
    const place = [...path, 'x-errors'];
    return [
      ...differences(
        codes,
        shown,
        'has no named example in a failed reply',
        'a named example of a failed reply',
        place,
      ),
      ...differences(codes, listed, 'is not in the examples of `message`', 'an example of `message`', place),
    ];
  });
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} operation
 */
function failures(document, operation) {
  return entries(operation.responses)
    .filter(([status]) => !status.startsWith('2'))
    .map(([, response]) => resolve(document, response));
}

/** @param {unknown} value */
function messageOf(value) {
  return isObject(value) && value.message !== undefined ? [String(value.message)] : [];
}

/**
 * @param {unknown} document
 * @param {unknown} node
 * @returns {string[]}
 */
function listedCodes(document, node) {
  const schema = resolve(document, node);
  const message = isObject(schema.properties) ? resolve(document, schema.properties.message) : {};
  const branches = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  return [...listOf(message.examples).map(String), ...branches.flatMap((branch) => listedCodes(document, branch))];
}

/**
 * @param {string[]} codes
 * @param {string[]} found
 * @param {string} missing what is wrong with a code that was not found
 * @param {string} where where an unknown code was found
 * @param {(string | number)[]} place
 * @returns {Problem[]}
 */
function differences(codes, found, missing, where, place) {
  return [
    ...codes
      .filter((code) => !found.includes(code))
      .map((code) => ({ message: `code ${code} ${missing}`, path: [...place, code] })),
    ...found
      .filter((code) => !codes.includes(code))
      .map((code) => ({ message: `${where} has the code ${code}, which is not in x-errors`, path: place })),
  ];
}
