import { callerFields, isObject } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

const otherForms = ['previous-value', 'none'];

/**
 * Checks the facts that decide whether to ask a person: every operation that changes data names the operation that undoes it,
 * the fields in `x-sends-if` are in its body, and `x-opt-outs` names a list of the people.
 *
 * @param {unknown} document
 */
export default function undo(document) {
  const operations = entriesOf(document, 'operation');
  const changing = operations.flatMap(({ node }) => (node['x-effect'] === 'read' ? [] : [node.operationId]));
  return operations.flatMap(({ node, path }) => {
    const fields = Object.keys(callerFields(document, node));
    const sendsIf = node['x-sends-if'];
    return [
      ...undoFaults(node, changing).map((message) => ({ message, path: [...path, 'x-undo'] })),
      ...(node['x-opt-outs'] === undefined ? [] : optOutFaults(node, operations)).map((message) => ({
        message,
        path: [...path, 'x-opt-outs'],
      })),
      ...(sendsIf === undefined ? [] : sendFaults(node, sendsIf, fields)).map((message) => ({
        message,
        path: [...path, 'x-sends-if'],
      })),
    ];
  });
}

/**
 * @param {Record<string, unknown>} operation
 * @param {unknown[]} changing ids of the operations that change data
 * @returns {string[]}
 */
function undoFaults(operation, changing) {
  const given = operation['x-undo'];
  // Another rule reports this.
  if (operation['x-effect'] === undefined) return [];
  if (operation['x-effect'] === 'read')
    return given === undefined ? [] : ['an operation that only reads has no x-undo'];
  if (otherForms.includes(String(given)) || changing.includes(given)) return [];
  return ['x-undo is the operationId of an operation that undoes this one, previous-value or none'];
}

/**
 * @param {Record<string, unknown>} operation
 * @param {unknown} sendsIf
 * @param {string[]} fields
 * @returns {string[]}
 */
function sendFaults(operation, sendsIf, fields) {
  if (operation['x-effect'] !== 'send') return ['only for operations with x-effect: send'];
  const names = isObject(sendsIf) ? Object.keys(sendsIf) : [];
  return names.length > 0
    ? names.filter((name) => !fields.includes(name)).map((name) => `no ${name} in the body`)
    : ['empty'];
}

/**
 * @param {Record<string, unknown>} operation
 * @param {{node: Record<string, unknown>}[]} operations
 * @returns {string[]}
 */
function optOutFaults(operation, operations) {
  if (operation['x-people'] === undefined) return ['only for operations with x-people'];
  const given = operation['x-opt-outs'];
  const id = isObject(given) ? given.operation : undefined;
  const list = operations.find(({ node }) => node.operationId === id)?.node;
  return list?.['x-effect'] === 'read' ? [] : ['operation is the operationId of a list in this spec'];
}
