import { entries, isObject, listOf, propertiesOf, resolve } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */
/** @typedef {(spec: unknown, schema: Record<string, unknown>, entry: Entry) => string[]} Check */

/**
 * What each extension names must be in its schema: fields, values, keywords, and the reason of what is assumed.
 *
 * @type {Record<string, Check>}
 */
const checks = {
  'x-title': (spec, schema) =>
    listOf(schema['x-title'])
      .filter((field) => !Object.hasOwn(propertiesOf(spec, schema), String(field)))
      .map((field) => `${field} is not a field of this record`),
  'x-at-least-one': (_, { properties, required, 'x-inferred': reason }) => [
    ...(entries(properties).length > 1 && listOf(required).length === 0
      ? []
      : ['it is for several fields of which none is required']),
    ...(reason === undefined ? ['it needs x-inferred, which says why'] : []),
  ],
  'x-inferred-limits': (spec, schema, { parent }) => {
    const known = { ...resolve(spec, schema), ...schema };
    return [
      ...listOf(schema['x-inferred-limits'])
        .filter((keyword) => !Object.hasOwn(known, String(keyword)))
        .map((keyword) => `${keyword} is not a keyword of this schema`),
      ...((schema['x-inferred'] ?? parent?.node['x-inferred']) ? [] : ['it needs x-inferred here or around it']),
    ];
  },
  'x-decoded': (_, { contentEncoding, contentMediaType, additionalProperties }) =>
    (contentEncoding ?? contentMediaType ?? Object(additionalProperties).contentEncoding)
      ? []
      : ['it is for a field with contentEncoding or contentMediaType'],
  'x-enumDescriptions'(_, { 'x-enumDescriptions': meanings, enum: values }) {
    const [known, told] = [listOf(values).map(String), Object.keys(Object(meanings))];
    return [
      ...known.filter((value) => !told.includes(value)).map((value) => `the value ${value} has no meaning`),
      ...told.filter((value) => !known.includes(value)).map((value) => `${value} is not a value of the enum`),
    ];
  },
  'x-enum-varnames': (_, { 'x-enum-varnames': names, enum: values }) =>
    new Set(listOf(names)).size === listOf(values).length && listOf(names).length === listOf(values).length
      ? []
      : ['it has one name for each value of the enum'],
  'x-variants': variantFaults,
};

/**
 * Extensions of a schema must fit it, and each enum needs its meanings and its names.
 *
 * @param {unknown} spec
 */
export default function schemaExtensions(spec) {
  return shapesOf(spec).flatMap((entry) => {
    const { node, path } = entry;
    const needed = Array.isArray(node.enum) ? ['x-enumDescriptions', 'x-enum-varnames'] : [];
    return Object.entries(checks).flatMap(([key, check]) => {
      if (node[key] === undefined && !needed.includes(key)) return [];
      return check(spec, node, entry).map((fault) => ({
        message: `${key}: ${fault}`,
        path: node[key] === undefined ? path : [...path, key],
      }));
    });
  });
}

/** @type {Check} */
function variantFaults(spec, { 'x-variants': given, properties }) {
  const variants = entries(isObject(given) ? given.variants : undefined);
  const named = variants.flatMap(([, form]) => [
    ...listOf(Object(form).required).map(String),
    ...Object.keys(Object(Object(form).properties)),
  ]);
  const unknown = named.filter((name) => !Object.hasOwn(Object(properties), name));
  // A value of an enum that no variant takes: the types of parameters would exclude it.
  const excluded = entries(properties).flatMap(([name, property]) => {
    const forms = variants.map(([, form]) => Object(Object(form).properties)[name] ?? {});
    const taken = forms.flatMap((form) => (form === false ? [] : (valuesOf(spec, form) ?? [undefined])));
    const values = taken.includes(undefined) ? [] : (valuesOf(spec, property) ?? []);
    return values.filter((value) => !taken.includes(value)).map((value) => `no variant takes ${value} as ${name}`);
  });
  return [...unknown.map((name) => `${name} is not a property of the schema`), ...excluded];
}

/**
 * The values of an enum or a constant, or `undefined` if a schema does not list them.
 *
 * @param {unknown} spec
 * @param {unknown} schema
 */
function valuesOf(spec, schema) {
  const { const: only, enum: values } = resolve(spec, schema);
  return only === undefined ? (Array.isArray(values) ? values : undefined) : [only];
}
