import { entries, isObject, listOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * An error code must report a rule of its operation or of the whole document.
 *
 * @param {unknown} document
 */
export default function errorRule(document) {
  const common = isObject(document) && isObject(document.info) ? ruleIds(document.info) : [];
  return entriesOf(document, 'operation').flatMap(({ node, path }) => {
    const known = [...ruleIds(node), ...common];
    return entries(node['x-errors']).flatMap(([code, error]) => {
      if (!isObject(error) || typeof error.rule !== 'string' || known.includes(error.rule)) return [];
      const message = `code ${code} names the rule ${error.rule}, which is not in x-rules of this operation or of info`;
      return [{ message, path: [...path, 'x-errors', code, 'rule'] }];
    });
  });
}

/** @param {Record<string, unknown>} node */
function ruleIds(node) {
  return listOf(node['x-rules']).map((rule) => (isObject(rule) ? rule.id : undefined));
}
