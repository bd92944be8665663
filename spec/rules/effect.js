import { callerFields, entries, isObject, listOf, parametersOf, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */
/** @typedef {{ at: (string | number)[], message: string }} Fault */

/**
 * What decides whether to repeat a call, and whether to ask a person first, must name what the spec has: the operation that undoes
 * it, fields of its body, and operations that only read.
 *
 * @param {unknown} spec
 */
export default function effect(spec) {
  const operations = entriesOf(spec, 'operation');
  return operations.flatMap((entry) =>
    [...effectFaults(spec, entry, operations), ...peopleFaults(spec, entry, operations)].map(({ at, message }) => ({
      message,
      path: [...entry.path, ...at],
    })),
  );
}

/** @param {Record<string, unknown>} operation */
function kindOf({ 'x-effect': given }) {
  return isObject(given) ? given.kind : given;
}

/**
 * @param {unknown} id
 * @param {Entry[]} operations
 */
function reads(id, operations) {
  return operations.some(({ node }) => node.operationId === id && kindOf(node) === 'read');
}

/**
 * @param {unknown} spec
 * @param {Entry} entry
 * @param {Entry[]} operations
 * @returns {Fault[]}
 */
function effectFaults(spec, { node, path }, operations) {
  const [kind, undo, method] = [kindOf(node), node['x-undo'], path.at(-1)];
  const { sendsIf, testMode, optOuts } = isObject(node['x-effect']) ? node['x-effect'] : {};
  const fields = callerFields(spec, node);
  /** @type {Fault[]} */
  const faults = [];
  /** @type {(key: string, message: string, ...below: string[]) => void} */
  const report = (key, message, ...below) => faults.push({ at: [key, ...below], message });
  if (kind === undefined) return [];
  if (method === 'get' && kind !== 'read') report('x-effect', `a GET only reads, so x-effect is read, not ${kind}`);
  if (kind === 'read' && method !== 'get' && method !== 'post')
    report('x-effect', 'x-effect is read only for GET and POST');
  if (kind === 'read' && undo !== undefined) report('x-undo', 'an operation that only reads has no x-undo');
  const undoing = ['previous-value', 'none', ...operations.map((each) => each.node.operationId)];
  if (kind !== 'read' && (!undoing.includes(undo) || reads(undo, operations)))
    report('x-undo', 'x-undo is the operationId of an operation that undoes this one, previous-value or none');
  if (kind !== 'send' && isObject(node['x-effect']))
    report('x-effect', 'sendsIf, testMode and optOuts are for the kind send');
  for (const name of [...Object.keys(Object(sendsIf)), ...listOf(testMode).map(String)])
    if (!Object.hasOwn(fields, name)) report('x-effect', `no ${name} in the body`);
  const switched = resolve(spec, fields[String(testMode)]);
  if (switched.type !== undefined && switched.type !== 'boolean')
    report('x-effect', `${testMode} is not a boolean: ${switched.type}`, 'testMode');
  if (isObject(optOuts) && !reads(optOuts.operation, operations))
    report('x-effect', `no operation ${optOuts.operation} that only reads`, 'optOuts');
  if (optOuts !== undefined && node['x-people'] === undefined)
    report('x-effect', 'optOuts need x-people: the people whom they leave out', 'optOuts');
  return faults;
}

/**
 * @param {unknown} spec
 * @param {Entry} entry
 * @param {Entry[]} operations
 * @returns {Fault[]}
 */
function peopleFaults(spec, { node }, operations) {
  const fields = callerFields(spec, node);
  return listOf(node['x-people']).flatMap((given, index) => {
    const { field, count } = isObject(given) ? given : { field: given, count: undefined };
    const types = valueTypes(spec, fields[String(field)]);
    const message = !Object.hasOwn(fields, String(field))
      ? `no ${field} in the body`
      : isObject(count)
        ? countFault(spec, count, operations, types)
        : isObject(given) || types.every((type) => type === 'array' || type === 'string')
          ? undefined
          : `${field} is neither a list nor a text: ${types.join(', ')}`;
    return message === undefined ? [] : [{ at: ['x-people', index], message }];
  });
}

/**
 * @param {unknown} spec
 * @param {Record<string, unknown>} count
 * @param {Entry[]} operations
 * @param {unknown[]} types types of the field that names the group
 */
function countFault(spec, { operation: id, parameter, result }, operations, types) {
  const counting = operations.find(({ node }) => node.operationId === id);
  if (!counting || !reads(id, operations)) return `no operation ${id} that only reads`;
  const parameters = parametersOf(spec, counting);
  const taken = valueTypes(spec, parameters.find(({ name }) => name === parameter)?.schema);
  if (!types.every((type) => taken.includes(type))) return `${id} has no ${parameter} of type ${types.join(', ')}`;
  const other = parameters.find(({ name, required }) => required === true && name !== parameter);
  if (other) return `${id} also needs ${other.name}`;
  const [, success] = entries(counting.node.responses).find(([status]) => status.startsWith('2')) ?? [];
  const media = Object(resolve(spec, success).content)['application/json'];
  const number = Object(resolve(spec, Object(media).schema).properties)[String(result)];
  return valueTypes(spec, number).join() === 'integer' ? undefined : `no integer ${result} in the response of ${id}`;
}

/**
 * @param {unknown} spec
 * @param {unknown} schema
 */
function valueTypes(spec, schema) {
  return typesOf(resolve(spec, schema)).filter((type) => type !== 'null');
}
