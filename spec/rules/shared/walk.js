import { isObject } from './nodes.js';

/**
 * An object of a spec. Its position determines its kind.
 *
 * @typedef {object} Entry
 * @property {string} kind kind of the object: `operation`, `schema`, `response` …
 * @property {string} role the keyword that contains it: `properties`, `items`, `requestBody` …
 * @property {Record<string, unknown>} node
 * @property {(string | number)[]} path from the root of the spec
 * @property {Entry | undefined} parent
 */

/** @typedef {{ kind: string, form: 'one' | 'list' | 'map' }} Child */

/** @type {(kind: string) => Child} */
const one = (kind) => ({ kind, form: 'one' });
/** @type {(kind: string) => Child} */
const list = (kind) => ({ kind, form: 'list' });
/** @type {(kind: string) => Child} */
const map = (kind) => ({ kind, form: 'map' });

const schema = one('schema');
/** @type {(keywords: string[], child: Child) => Record<string, Child>} */
const each = (keywords, child) => Object.fromEntries(keywords.map((keyword) => [keyword, child]));

const conditions = ['if', 'then', 'else', 'not'];

/**
 * The kinds of object that each keyword contains. With this table, the walk distinguishes a property named `items` from
 * the keyword, and never treats an example as a schema. `*` is any key that is not an extension.
 *
 * @type {Record<string, Record<string, Child>>}
 */
const grammar = {
  root: {
    info: one('info'),
    servers: list('server'),
    tags: list('tag'),
    'x-tagGroups': list('tagGroup'),
    paths: one('paths'),
    components: one('components'),
  },
  info: { contact: one('contact'), license: one('license'), 'x-rules': list('rule') },
  paths: { '*': one('pathItem') },
  components: {
    schemas: map('schema'),
    parameters: map('parameter'),
    requestBodies: map('requestBody'),
    responses: map('response'),
    headers: map('header'),
    examples: map('example'),
    securitySchemes: map('securityScheme'),
    pathItems: map('pathItem'),
  },
  server: { variables: map('serverVariable') },
  pathItem: {
    parameters: list('parameter'),
    servers: list('server'),
    ...each(['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'], one('operation')),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: one('responses'),
    servers: list('server'),
    'x-pagination': one('pagination'),
    'x-rate-limit': one('rateLimit'),
    'x-rules': list('rule'),
    'x-errors': map('errorCode'),
  },
  parameter: { schema, content: map('mediaType'), examples: map('example') },
  requestBody: { content: map('mediaType') },
  responses: { '*': one('response') },
  response: { headers: map('header'), content: map('mediaType') },
  header: { schema, content: map('mediaType'), examples: map('example') },
  mediaType: { schema, examples: map('example') },
  schema: {
    ...each(['properties', 'patternProperties', 'dependentSchemas'], map('schema')),
    ...each(['additionalProperties', 'propertyNames', 'items', 'contains', 'contentSchema'], schema),
    ...each(['prefixItems', 'allOf', 'anyOf', 'oneOf'], list('schema')),
    ...each(conditions, schema),
  },
};

/**
 * Entries of each spec, so that all rules share one walk.
 *
 * @type {WeakMap<object, Entry[]>}
 */
const walked = new WeakMap();

/**
 * Every object of a spec, parents before their children. Does not follow `$ref`.
 *
 * @param {unknown} spec
 * @returns {Entry[]}
 */
export function walk(spec) {
  if (!isObject(spec)) return [];
  const known = walked.get(spec) ?? [...visit(one('root'), 'root', spec, [], undefined)];
  walked.set(spec, known);
  return known;
}

/**
 * The objects of one kind.
 *
 * @param {unknown} spec
 * @param {string} kind
 * @returns {Entry[]}
 */
export function entriesOf(spec, kind) {
  return walk(spec).filter((entry) => entry.kind === kind);
}

/**
 * Schemas that define a shape. Excludes those in `if`, `then`, `else` and `not`, which are conditions.
 *
 * @param {unknown} spec
 * @returns {Entry[]}
 */
export function shapesOf(spec) {
  return entriesOf(spec, 'schema').filter((entry) => !isCondition(entry));
}

/**
 * @param {Entry} entry
 * @returns {boolean}
 */
function isCondition(entry) {
  if (entry.kind !== 'schema') return false;
  if (conditions.includes(entry.role)) return true;
  return entry.parent !== undefined && isCondition(entry.parent);
}

/**
 * @param {Child} child
 * @param {string} role
 * @param {unknown} value
 * @param {(string | number)[]} path
 * @param {Entry | undefined} parent
 * @returns {Generator<Entry, void>}
 */
function* visit({ kind, form }, role, value, path, parent) {
  if (form === 'list' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* visit(one(kind), role, item, [...path, index], parent);
  } else if (form === 'map' && isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* visit(one(kind), role, item, [...path, key], parent);
  } else if (form === 'one' && isObject(value)) {
    const entry = { kind, role, node: value, path, parent };
    yield entry;
    for (const [key, item] of Object.entries(value)) {
      const child = childOf(kind, key);
      if (child) yield* visit(child, key, item, [...path, key], entry);
    }
  }
}

/**
 * @param {string} kind
 * @param {string} key
 * @returns {Child | undefined}
 */
function childOf(kind, key) {
  const children = grammar[kind] ?? {};
  if (Object.hasOwn(children, key)) return children[key];
  return key.startsWith('x-') ? undefined : children['*'];
}
