import { isObject, isText } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

const key = 'x-enumDescriptions';

/**
 * Each value of an enum must have a meaning, and each meaning a value.
 *
 * @param {unknown} document
 */
export default function enumDescriptions(document) {
  return shapesOf(document).flatMap((entry) =>
    faultsOf(entry.node).map(([message, ...rest]) => ({ message, path: [...entry.path, ...rest] })),
  );
}

/**
 * @param {Record<string, unknown>} schema
 * @returns {[message: string, ...path: string[]][]}
 */
function faultsOf(schema) {
  const descriptions = schema[key];
  if (!Array.isArray(schema.enum)) return descriptions === undefined ? [] : [[`${key} needs an \`enum\``, key]];
  if (!isObject(descriptions)) return [[`every enum needs ${key}, a map of value to meaning`]];
  const values = schema.enum.map(String);
  const missing = values.filter((value) => !isText(descriptions[value]));
  const surplus = Object.keys(descriptions).filter((value) => !values.includes(value));
  return [
    ...missing.map((value) => /** @type {[string, string]} */ ([`the enum value ${value} has no description`, key])),
    ...surplus.map(
      (value) => /** @type {[string, string, string]} */ ([`${value} is not a value of the enum`, key, value]),
    ),
  ];
}
