import { listOf, resolve, typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/**
 * The parts of an `allOf` must allow a common type, and so must a field that several of them declare. Types would be `never`.
 *
 * @param {unknown} document
 */
export default function allOfAgrees(document) {
  return shapesOf(document).flatMap(({ node, path }) => {
    const cause = containsItself(document, node) ? 'a part contains the whole' : faultOf(document, listOf(node.allOf));
    return cause === undefined
      ? []
      : [{ message: `no value fits all parts of \`allOf\`: ${cause}`, path: [...path, 'allOf'] }];
  });
}

/**
 * @param {unknown} document
 * @param {unknown[]} parts
 * @returns {string | undefined}
 */
function faultOf(document, parts, depth = 0) {
  const schemas = parts.map((part) => resolve(document, part));
  const types = schemas.map(typesOf).filter((each) => each.length > 0);
  const common = types.reduce((left, right) => left.filter((type) => fits(type, right)), types[0] ?? []);
  if (types.length > 0 && common.length === 0) return `their types are ${types.join(' and ')}`;
  const names = schemas.flatMap(({ properties }) => Object.keys(Object(properties)));
  const shared = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  for (const name of depth < 9 ? shared : []) {
    const cause = faultOf(
      document,
      schemas.flatMap(({ properties }) => Object(properties)[name] ?? []),
      depth + 1,
    );
    if (cause) return `in \`${name}\`, ${cause}`;
  }
  return undefined;
}

/**
 * @param {unknown} type
 * @param {unknown[]} others
 */
function fits(type, others) {
  return others.includes(type) || (type === 'integer' && others.includes('number'));
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} whole
 */
function containsItself(document, whole) {
  const parts = new Set(listOf(whole.allOf).map((part) => resolve(document, part)));
  for (const part of parts) for (const inner of listOf(part.allOf)) parts.add(resolve(document, inner));
  return parts.has(whole);
}
