import { isObject, listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * A quota is also a rule in words, which the sandbox enforces and the docs show. `x-rate-limit` and a rule whose id ends
 * with `-quota` need each other.
 *
 * @param {unknown} document
 */
export default function quotaRule(document) {
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const rules = listOf(node['x-rules']).map((rule) => (isObject(rule) ? String(rule.id) : ''));
    const index = rules.findIndex((id) => id.endsWith('-quota'));
    const hasLimit = node['x-rate-limit'] !== undefined;
    if (hasLimit === index >= 0) return [];
    if (hasLimit) {
      const message = 'a quota needs a rule in x-rules that states it in a sentence, with an id that ends with -quota';
      return [{ message, path: [...path, 'x-rate-limit'] }];
    }
    return [{ message: `the rule ${rules[index]} needs x-rate-limit`, path: [...path, 'x-rules', index, 'id'] }];
  });
}
