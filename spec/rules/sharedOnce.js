import { isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/**
 * A parameter or response shared by several operations must be declared once, in `components`.
 *
 * @param {unknown} document
 */
export default function sharedOnce(document) {
  /** @type {Map<string, string>} */
  const seen = new Map();
  return walk(document).flatMap(({ kind, node, path }) => {
    if ((kind !== 'parameter' && kind !== 'response') || node.$ref !== undefined) return [];
    const text = canonical(node);
    const first = seen.get(text);
    seen.set(text, first ?? path.join(' › '));
    return first === undefined
      ? []
      : [{ message: `the same ${kind} is at ${first}: declare it once, in components, and refer to it`, path }];
  });
}

/** @param {unknown} value */
function canonical(value) {
  return JSON.stringify(value, (_key, item) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort()) : item,
  );
}
