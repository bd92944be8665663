import { callerFields, isText, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * `x-test-mode` names a boolean field of the body of an operation that sends.
 *
 * @param {unknown} document
 */
export default function testMode(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const field = node['x-test-mode'];
    const message = field === undefined ? undefined : faultOf(document, node, field);
    return message === undefined ? [] : [{ message, path: [...path, 'x-test-mode'] }];
  });
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} operation
 * @param {unknown} field
 * @returns {string | undefined}
 */
function faultOf(document, operation, field) {
  if (!isText(field)) return 'x-test-mode is the name of a field of the body';
  if (operation['x-effect'] !== 'send') return 'only for operations with x-effect: send';
  const fields = callerFields(document, operation);
  if (!Object.hasOwn(fields, field)) return `no ${field} in the body`;
  const types = typesOf(resolve(document, fields[field]));
  return types.join() === 'boolean' ? undefined : `${field} is not a boolean: ${types.join(', ')}`;
}
