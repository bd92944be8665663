import { typesOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

const conditions = ['if', 'not', 'dependentRequired'];

/**
 * Both generators break on conditions inside `allOf`, `anyOf` and `oneOf`. A schema has at most one, on the object itself.
 *
 * @param {unknown} document
 */
export default function conditionForm(document) {
  return shapesOf(document).flatMap((entry) => faultsOf(entry).map((message) => ({ message, path: entry.path })));
}

/**
 * @param {Entry} entry
 * @returns {string[]}
 */
function faultsOf({ node, role }) {
  const used = conditions.filter((keyword) => node[keyword] !== undefined);
  const faults = [];
  if (node.dependentSchemas !== undefined) faults.push('do not use `dependentSchemas`: write `if` and `then`');
  if (node.if !== undefined && node.then === undefined) faults.push('`if` needs a `then`');
  if (used.length > 1) faults.push(`a schema has one condition, not ${used.join(' and ')}`);
  if (used.length === 0) return faults;
  if (['allOf', 'anyOf', 'oneOf'].includes(role))
    faults.push(`no \`${used[0]}\` inside ${role}: it breaks the generators`);
  if (!typesOf(node).includes('object')) faults.push(`\`${used[0]}\` needs an object with \`type: object\``);
  return faults;
}
