import { entries, isObject, isText, listOf, propertiesOf, resolve, typesOf } from './shared/nodes.js';
import { shapesOf, walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/** Keywords that generators read in a part of a condition. They would drop others. */
const inParts = ['type', 'required', 'properties', 'description'];

/** Limit → the types that it limits. JSON Schema ignores it on others, so a documented limit would be lost. */
const limited = {
  ...Object.fromEntries(['pattern', 'minLength', 'maxLength'].map((key) => [key, ['string']])),
  ...Object.fromEntries(['minimum', 'maximum'].map((key) => [key, ['integer', 'number']])),
  ...Object.fromEntries(['minItems', 'maxItems'].map((key) => [key, ['array']])),
};

/**
 * Forms that generators cannot express, and would drop or widen without a word.
 *
 * @param {unknown} spec
 */
export default function schemaForm(spec) {
  const sent = sentSchemas(spec);
  return shapesOf(spec).flatMap(({ node, path }) => {
    const isSent = sent.has(`#/${path.slice(0, 3).join('/')}`);
    return [...formFaults(node, isSent), ...conditionFaults(spec, node, path)].map(([key, message]) => ({
      message,
      path: [...path, key],
    }));
  });
}

/**
 * @param {Record<string, unknown>} node
 * @param {boolean} isSent
 * @returns {[key: string, message: string][]}
 */
function formFaults(node, isSent) {
  /** @type {[string, string][]} */
  const faults = [];
  const types = typesOf(node);
  if (types.includes('object') && types.some((type) => type !== 'object' && type !== 'null'))
    faults.push(['type', 'an object or another value is an `anyOf` with a branch for each']);
  for (const [key, limits] of Object.entries(limited)) {
    // `minLength: 0` of a schema without a type limits nothing (spec/README.md).
    if (
      node[key] === undefined ||
      (types.length === 0 && node[key] === 0) ||
      types.some((type) => limits.includes(String(type)))
    )
      continue;
    faults.push([key, `\`${key}\` limits type ${limits.join(' or ')}, so nothing would check it here`]);
  }
  for (const key of ['anyOf', 'allOf'])
    if (listOf(node[key]).some((branch) => !isObject(branch) || !(branch.type ?? branch.$ref)))
      faults.push([key, `each branch of ${key} needs its own \`type\` or \`$ref\``]);
  if (isSent && node.allOf !== undefined)
    faults.push([
      'allOf',
      'a request has no `allOf`: commands and agents take the fields of one schema, so write them there',
    ]);
  const closed = entries(node.properties).find(([, property]) => !isObject(property));
  if (closed)
    faults.push([
      'properties',
      `the schema of ${closed[0]} is not an object: forbid a field by \`not\` and \`required\``,
    ]);
  if (types.includes('null') && Array.isArray(node.enum) && !node.enum.includes(null))
    faults.push(['enum', 'the type allows null, but the enum does not']);
  const isJson = node.contentMediaType === 'application/json';
  if (isJson !== (Object(node.contentSchema).$ref !== undefined))
    faults.push([
      'contentMediaType',
      'JSON in a string needs `contentSchema` with a `$ref`, which other strings cannot have',
    ]);
  return faults;
}

/**
 * @param {unknown} spec
 * @param {Record<string, unknown>} node
 * @param {(string | number)[]} path
 * @returns {[key: string, message: string][]}
 */
function conditionFaults(spec, node, path) {
  const used = ['if', 'not', 'dependentRequired'].filter((key) => node[key] !== undefined);
  const [first] = used;
  if (first === undefined) return [];
  if (used.length > 1) return [[first, `a schema has one condition, not ${used.join(' and ')}`]];
  if (path.length !== 3 || !typesOf(node).includes('object'))
    return [[first, `\`${first}\` belongs to a component that is an object: write one, and refer to it`]];
  if (node.if !== undefined && node.then === undefined) return [['if', '`if` needs a `then`']];
  return ['if', 'then', 'else', 'not'].flatMap((key) => {
    const part = node[key];
    if (!isObject(part)) return [];
    const other = Object.keys(part).find((keyword) => !inParts.includes(keyword) && !keyword.startsWith('x-'));
    const known = Object.keys(key === 'not' ? Object(part.properties) : propertiesOf(spec, node));
    const lost = entries(part.properties).find(([name]) => !known.includes(name));
    const unnamed = listOf(part.required).find((name) => !Object.hasOwn(Object(part.properties), String(name)));
    const message = other
      ? `\`${key}\` has ${inParts.join(', ')}, not \`${other}\``
      : lost && node.additionalProperties !== true
        ? `\`${key}\` names \`${lost[0]}\`, which is not a property of the object`
        : unnamed !== undefined || part.properties === undefined
          ? `\`${key}\` needs \`properties\` with each field that it names`
          : key !== 'if' && !isText(part.description)
            ? `\`${key}\` needs a \`description\`, which says what is wrong: problems show it`
            : undefined;
    return message ? [[key, message]] : [];
  });
}

/**
 * The components that requests contain.
 *
 * @param {unknown} spec
 */
function sentSchemas(spec) {
  const bodies = walk(spec).filter(({ kind }) => kind === 'requestBody');
  const sent = new Set(bodies.flatMap(({ node }) => referencesIn(node)));
  for (const reference of sent) for (const next of referencesIn(resolve(spec, { $ref: reference }))) sent.add(next);
  return sent;
}

/**
 * @param {unknown} node
 * @returns {string[]}
 */
function referencesIn(node) {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  return entries(node).flatMap(([key, value]) =>
    key === '$ref' ? [String(value)] : key === 'examples' ? [] : referencesIn(value),
  );
}
