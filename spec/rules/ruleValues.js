import { isObject } from './shared/nodes.js';

/**
 * What a rule gives to programs in `values` stands in its text too, where people read it.
 *
 * @param {unknown} rule
 */
export default function ruleValues(rule) {
  if (!isObject(rule) || !isObject(rule.values)) return [];
  const words = String(rule.text).split(/[^\w-]+/);
  return Object.entries(rule.values)
    .filter(([, value]) => !words.includes(String(value)))
    .map(([name, value]) => ({ message: `the text does not say the value ${value}`, path: ['values', name] }));
}
