/** @typedef {{ message: string, path: (string | number)[] }} Problem */

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
export function isText(value) {
  return typeof value === 'string' && value.trim() !== '';
}

/**
 * Converts an optional value or list to a list.
 *
 * @param {unknown} value
 * @returns {unknown[]}
 */
export function listOf(value) {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * @param {unknown} value
 * @returns {[string, unknown][]}
 */
export function entries(value) {
  return isObject(value) ? Object.entries(value) : [];
}

/**
 * The object itself, or the target of its local `$ref`. Returns an empty object for an unresolved or circular reference,
 * because other rules report it.
 *
 * @param {unknown} spec
 * @param {unknown} node
 * @returns {Record<string, unknown>}
 */
export function resolve(spec, node) {
  let current = node;
  for (let depth = 0; depth < 20; depth += 1) {
    if (!isObject(current)) return {};
    if (typeof current.$ref !== 'string') return current;
    current = lookUp(spec, current.$ref);
  }
  return {};
}

/**
 * @param {unknown} spec
 * @param {string} pointer
 * @returns {unknown}
 */
function lookUp(spec, pointer) {
  if (!pointer.startsWith('#/')) return undefined;
  let node = spec;
  for (const part of pointer.slice(2).split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isObject(node) ? node[key] : Array.isArray(node) ? node[Number(key)] : undefined;
  }
  return node;
}

/**
 * The types of a schema, as a list.
 *
 * @param {Record<string, unknown>} schema
 * @returns {unknown[]}
 */
export function typesOf(schema) {
  return listOf(schema.type);
}

/**
 * Whether a schema restricts the shape of a value.
 *
 * @param {Record<string, unknown>} schema
 * @returns {boolean}
 */
export function hasShape(schema) {
  return ['type', '$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'].some((keyword) => schema[keyword] !== undefined);
}

/**
 * The properties of a schema, including those of the parts of an `allOf`.
 *
 * @param {unknown} spec
 * @param {unknown} node
 * @returns {Record<string, unknown>}
 */
export function propertiesOf(spec, node, depth = 0) {
  const schema = resolve(spec, node);
  const parts = depth < 20 ? listOf(schema.allOf) : [];
  const inherited = parts.map((part) => propertiesOf(spec, part, depth + 1));
  return Object.assign({}, ...inherited, Object.fromEntries(entries(schema.properties)));
}

/**
 * The schemas of a request body, one for each media type.
 *
 * @param {unknown} spec
 * @param {Record<string, unknown>} operation
 * @returns {unknown[]}
 */
export function bodySchemas(spec, operation) {
  const { content } = resolve(spec, operation.requestBody);
  return entries(content).map(([, mediaType]) => (isObject(mediaType) ? mediaType.schema : undefined));
}

/**
 * The fields that a caller passes. If a key wraps the body, the fields inside it.
 *
 * @param {unknown} spec
 * @param {Record<string, unknown>} operation
 * @returns {Record<string, unknown>}
 */
export function callerFields(spec, operation) {
  /** @type {Record<string, unknown>} */
  const whole = Object.assign({}, ...bodySchemas(spec, operation).map((schema) => propertiesOf(spec, schema)));
  const sdk = operation['x-sdk'];
  if (!isObject(sdk) || typeof sdk.unwrapBody !== 'string') return whole;
  return propertiesOf(spec, resolve(spec, whole[sdk.unwrapBody]));
}

/**
 * The parameters in the path and in the query of an operation.
 *
 * @param {unknown} spec
 * @param {{ node: Record<string, unknown>, parent: { node: Record<string, unknown> } | undefined }} operation
 * @returns {Record<string, unknown>[]}
 */
export function parametersOf(spec, { node, parent }) {
  return [...listOf(parent?.node.parameters), ...listOf(node.parameters)].map((item) => resolve(spec, item));
}
