import { callerFields, entries, isObject, isText, listOf, parametersOf, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * The fields in `x-people` are in the body, and the operation that counts a group only reads, and takes the field's value.
 *
 * @param {unknown} document
 */
export default function people(document) {
  const operations = entriesOf(document, 'operation');
  return operations.flatMap(({ node, path }) => {
    const fields = callerFields(document, node);
    return listOf(node['x-people']).flatMap((entry, index) => {
      const { field, count } = isObject(entry) ? entry : { field: entry, count: undefined };
      // Another rule reports other forms.
      if (!isText(field)) return [];
      const place = [...path, 'x-people', index];
      if (!Object.hasOwn(fields, field)) return [{ message: `no ${field} in the body`, path: place }];
      const types = valueTypes(document, fields[field]);
      if (!isObject(entry)) {
        const isList = types.every((type) => type === 'array' || type === 'string');
        return isList ? [] : [{ message: `${field} is neither a list nor a text: ${types.join(', ')}`, path: place }];
      }
      if (!isObject(count)) return [];
      return countFaults(document, count, operations, types).map((message) => ({ message, path: [...place, 'count'] }));
    });
  });
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} count
 * @param {Entry[]} operations
 * @param {unknown[]} types types of the field that names the group
 * @returns {string[]}
 */
function countFaults(document, count, operations, types) {
  const { operation: id, parameter, result } = count;
  if (!isText(id) || !isText(parameter) || !isText(result)) return [];
  const counting = operations.find(({ node }) => node.operationId === id);
  if (!counting) return [`no operation ${id}`];
  if (counting.node['x-effect'] !== 'read') return [`${id} does not only read`];
  const parameters = parametersOf(document, counting);
  const taking = parameters.find(({ name }) => name === parameter);
  if (!taking) return [`no ${parameter} in the path or query of ${id}`];
  const other = parameters.find(({ name, required }) => required === true && name !== parameter);
  if (other) return [`${id} also needs ${other.name}`];
  const taken = valueTypes(document, taking.schema);
  if (!types.every((type) => taken.includes(type)))
    return [`${parameter} of ${id} is ${taken.join(', ')}, but the field is ${types.join(', ')}`];
  const number = successFields(document, counting.node)[result];
  return valueTypes(document, number).join() === 'integer' ? [] : [`no integer ${result} in the reply of ${id}`];
}

/**
 * @param {unknown} document
 * @param {unknown} schema
 */
function valueTypes(document, schema) {
  return typesOf(resolve(document, schema)).filter((type) => type !== 'null');
}

/**
 * @param {unknown} document
 * @param {Record<string, unknown>} operation
 * @returns {Record<string, unknown>}
 */
function successFields(document, operation) {
  const [, success] = entries(operation.responses).find(([status]) => status.startsWith('2')) ?? [];
  const { content } = resolve(document, success);
  const media = isObject(content) ? content['application/json'] : undefined;
  const { properties } = isObject(media) ? resolve(document, media.schema) : {};
  return isObject(properties) ? properties : {};
}
