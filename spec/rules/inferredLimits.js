import { isObject, isText, listOf, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

const key = 'x-inferred-limits';

/**
 * An undocumented limit must be a keyword of its schema, and have a reason for the assumption.
 *
 * @param {unknown} document
 */
export default function inferredLimits(document) {
  return entriesOf(document, 'schema').flatMap((entry) =>
    faultsOf(document, entry).map((message) => ({ message, path: [...entry.path, key] })),
  );
}

/**
 * @param {unknown} document
 * @param {Entry} entry
 * @returns {string[]}
 */
function faultsOf(document, { node, parent }) {
  const limits = node[key];
  if (limits === undefined) return [];
  if (!Array.isArray(limits) || limits.length === 0) return [`${key} is a list of keywords of the schema: [type]`];
  const known = { ...resolve(document, node), ...node };
  const faults = limits
    .filter((keyword) => !Object.hasOwn(known, keyword))
    .map((keyword) => `\`${keyword}\` is no keyword of this schema`);
  const reasons = [node, parent?.node ?? {}].flatMap((holder) => listOf(holder['x-inferred']));
  // A reason with a gap of spec/gaps.yaml is an object.
  if (!reasons.some((reason) => isText(isObject(reason) ? reason.text : reason)))
    faults.push(`${key} needs an \`x-inferred\` here or around it, which says why it is assumed`);
  return faults;
}
