import { bodySchemas, entries, isObject, listOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/nodes.js').Problem} Problem */

/**
 * A body that writes an open record names it in `x-record`, and the record declares each field of the body. Otherwise methods take no
 * fields of an account, or types, sandbox and mock lack a field.
 *
 * @param {unknown} spec
 */
export default function records(spec) {
  const schemas = Object(Object(Object(spec).components).schemas);
  return [
    ...entries(schemas).flatMap(([name, schema]) =>
      listOf(Object(schema)['x-record']).flatMap((record) =>
        fieldFaults(name, schema, record, schemas[String(record)]),
      ),
    ),
    ...entriesOf(spec, 'operation').flatMap(({ node, path }) => {
      const record = node['x-effect'] === 'read' ? undefined : returnedRecord(spec, node);
      const [body] = bodySchemas(spec, node);
      if (!record || !body || listOf(resolve(spec, body)['x-record']).includes(record)) return [];
      const message = `the body writes ${record}: add x-record: ${record} to its schema`;
      return [{ message, path: [...path, 'requestBody'] }];
    }),
  ];
}

/**
 * @param {string} name
 * @param {unknown} body
 * @param {unknown} record name of the record
 * @param {unknown} found
 * @returns {Problem[]}
 */
function fieldFaults(name, body, record, found) {
  const path = ['components', 'schemas', name];
  if (!isObject(found) || found.additionalProperties !== true)
    return [
      {
        message: `x-record names ${record}, which is not a component with additionalProperties: true`,
        path: [...path, 'x-record'],
      },
    ];
  return Object.keys(Object(Object(body).properties))
    .filter((field) => !Object.hasOwn(Object(found.properties), field))
    .map((field) => ({
      message: `${record} has no field '${field}', which this body writes: add it to the properties of ${record}`,
      path: [...path, 'properties', field],
    }));
}

/**
 * The open record that a successful response returns, by name.
 *
 * @param {unknown} spec
 * @param {Record<string, unknown>} operation
 */
function returnedRecord(spec, operation) {
  const [, success] = entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const media = Object(resolve(spec, success).content)['application/json'];
  const payload = Object(resolve(spec, Object(media).schema).properties).data;
  if (typeof Object(payload).$ref !== 'string') return undefined;
  return resolve(spec, payload).additionalProperties === true ? payload.$ref.split('/').at(-1) : undefined;
}
