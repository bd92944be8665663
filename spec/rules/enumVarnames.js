import { isText } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

const key = 'x-enum-varnames';
const pascalCase = /^[A-Z][A-Za-z0-9]*$/;

/**
 * The generated constants need one name for each value, in the order of the enum.
 *
 * @param {unknown} document
 */
export default function enumVarnames(document) {
  return shapesOf(document).flatMap(({ node, path }) => {
    const message = faultOf(node);
    return message ? [{ message, path: node[key] === undefined ? path : [...path, key] }] : [];
  });
}

/**
 * @param {Record<string, unknown>} schema
 * @returns {string | undefined}
 */
function faultOf(schema) {
  const names = schema[key];
  if (!Array.isArray(schema.enum)) return names === undefined ? undefined : `${key} needs an \`enum\``;
  if (!Array.isArray(names)) return `every enum needs ${key}, a list of names in the order of its values`;
  if (names.length !== schema.enum.length) return `${names.length} names for ${schema.enum.length} values`;
  const malformed = names.find((name) => !isText(name) || !pascalCase.test(name));
  if (malformed !== undefined) return `${malformed} is not PascalCase`;
  return new Set(names).size === names.length ? undefined : 'two values have the same name';
}
