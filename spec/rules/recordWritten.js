import { isObject, listOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * If an operation returns the open record that it writes, its body must have `x-record`, so that requests can also contain
 * an account's custom fields.
 *
 * @param {unknown} document
 */
export default function recordWritten(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const body = schemaOf(document, node.requestBody);
    const record = node['x-effect'] === 'read' ? undefined : writtenRecord(document, node);
    if (!body || !record || listOf(resolve(document, body)['x-record']).includes(record)) return [];
    const message = `the body writes ${record}: add x-record: ${record} to its schema`;
    return [{ message, path: [...path, 'requestBody'] }];
  });
}

/**
 * The open record that a successful reply returns, by name.
 *
 * @param {unknown} document
 * @param {Record<string, unknown>} operation
 */
function writtenRecord(document, operation) {
  const responses = isObject(operation.responses) ? operation.responses : {};
  const success = Object.keys(responses).find((status) => status.startsWith('2'));
  const schema = resolve(document, schemaOf(document, success && responses[success]));
  const payload = isObject(schema.properties) ? schema.properties.data : undefined;
  if (!isObject(payload) || typeof payload.$ref !== 'string') return undefined;
  return resolve(document, payload).additionalProperties === true ? payload.$ref.split('/').at(-1) : undefined;
}

/**
 * @param {unknown} document
 * @param {unknown} holder a request body or a response
 */
function schemaOf(document, holder) {
  const { content } = resolve(document, holder);
  const media = isObject(content) ? content['application/json'] : undefined;
  return isObject(media) ? media.schema : undefined;
}
