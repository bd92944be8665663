import { typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** Keyword → the types that it limits. For other types, JSON Schema ignores it. */
const limited = Object.entries({
  string: ['pattern', 'minLength', 'maxLength', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  number: ['minimum', 'maximum'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties', 'dependentRequired'],
}).flatMap(([type, keywords]) => keywords.map((keyword) => /** @type {const} */ ([keyword, type])));

/**
 * A keyword needs a type that it limits. `minLength: 0` of a schema without a type limits nothing (spec/README.md).
 *
 * @param {unknown} document
 */
export default function keywordType(document) {
  return shapesOf(document).flatMap(({ node, path, role }) => {
    // `branch-type` reports it.
    if (node.type === undefined && ['allOf', 'anyOf', 'oneOf'].includes(role)) return [];
    const types = typesOf(node).map((type) => (type === 'integer' ? 'number' : type));
    return limited
      .filter(([keyword, type]) => node[keyword] !== undefined && !types.includes(type))
      .filter(([keyword]) => !(keyword === 'minLength' && node.minLength === 0))
      .map(([keyword, type]) => ({
        message: `\`${keyword}\` limits values of type ${type}, and this schema has ${types.length > 0 ? `type ${types.join(' or ')}` : 'no type'}: nothing would check it`,
        path: [...path, keyword],
      }));
  });
}
