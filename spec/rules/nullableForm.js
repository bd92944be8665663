import { isObject, listOf, typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/**
 * A nullable type is a type array, `type: [string, 'null']`. A nullable enum lists null as one of its values.
 *
 * @param {unknown} document
 */
export default function nullableForm(document) {
  return shapesOf(document).flatMap(({ node, path }) => {
    const message = faultOf(node);
    return message ? [{ message, path }] : [];
  });
}

/**
 * @param {Record<string, unknown>} schema
 * @returns {string | undefined}
 */
function faultOf(schema) {
  if ([schema.anyOf, schema.oneOf].some(isNullableType)) {
    return "a branch of type 'null' is only for a nullable `$ref`: write `type: [string, 'null']`";
  }
  const excludesNull = Array.isArray(schema.enum) && !schema.enum.includes(null);
  return typesOf(schema).includes('null') && excludesNull ? 'the type allows null, but the enum does not' : undefined;
}

/** @param {unknown} alternatives */
function isNullableType(alternatives) {
  const branches = listOf(alternatives).filter(isObject);
  return branches.some(({ type }) => type === 'null') && !branches.some(({ $ref }) => $ref !== undefined);
}
