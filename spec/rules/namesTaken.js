import { isObject, listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** What generated types add to the place of a method, and generated validators to an operationId. */
const ofMethods = ['Params', 'Result', 'Meta', 'Errors', 'ErrorCode', 'MaxItems', 'Common'];
const ofOperations = ['Body', 'Path', 'Query', 'Response', 'Data'];

/**
 * A component must not have a name that generated files give to something else: users could import neither.
 *
 * @param {unknown} document
 */
export default function namesTaken(document) {
  const operations = entriesOf(document, 'operation').map(({ node }) => node);
  const components = entriesOf(document, 'schema').filter(({ path }) => path.length === 3 && path[1] === 'schemas');
  /** @type {Map<string, string>} */
  const taken = new Map();
  for (const { operationId, 'x-sdk': sdk } of operations) {
    const method = String(isObject(sdk) ? sdk.method : sdk);
    for (const end of ofMethods) taken.set(method.split('.').map(capitalize).join('') + end, `the types of ${method}`);
    for (const end of ofOperations)
      taken.set(capitalize(String(operationId)) + end, `the validators of ${operationId}`);
  }
  for (const { node, path } of components) {
    const open = node.additionalProperties === true ? [String(path[2])] : [];
    for (const name of [...open, ...listOf(node['x-record']).map(String)])
      taken.set(`${name}Fields`, `the own fields of an account's ${name}`);
    const parts = [node['x-variants'], node['x-at-least-one']].some((part) => part !== undefined);
    if (parts) taken.set(`${path[2]}Common`, `the common fields of ${path[2]}`);
  }
  return components.flatMap(({ path }) => {
    const other = taken.get(String(path[2]));
    return other === undefined
      ? []
      : [{ message: `${path[2]} is the name of ${other} in generated files: choose another name`, path }];
  });
}

/** @param {string} name */
function capitalize(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
