import { isObject } from './shared/nodes.js';

/**
 * The text of a rule must contain its `values`, so that readers see the same values as programs.
 *
 * @param {unknown} rule
 */
export default function ruleValues(rule) {
  if (!isObject(rule) || !isObject(rule.values)) return [];
  const words = String(rule.text).split(/[^\w-]+/);
  return Object.entries(rule.values)
    .filter(([, value]) => !words.includes(String(value)))
    .map(([name, value]) => ({ message: `the text does not contain the value ${value}`, path: ['values', name] }));
}
