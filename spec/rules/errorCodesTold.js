import { entries, isObject } from './shared/nodes.js';
import { entriesOf, walk } from './shared/walk.js';

/**
 * Codes in texts (`code 3084`) must be codes of `x-errors`. The text of a rule must contain the codes that report it.
 *
 * @param {unknown} document
 */
export default function errorCodesTold(document) {
  const errors = entriesOf(document, 'operation').flatMap(({ node }) => entries(node['x-errors']));
  return walk(document).flatMap(({ kind, node, path }) => {
    const known = errors
      .filter(([, error]) => kind !== 'rule' || (isObject(error) && error.rule === node.id))
      .map(([code]) => code);
    const told = ['summary', 'description', 'text', 'advice'].flatMap((key) =>
      codesIn(node[key]).map((code) => ({ code, path: [...path, key] })),
    );
    const unknown = told
      .filter(({ code }) => !known.includes(code))
      .map(({ code, path }) => ({
        message: `x-errors has no code ${code}${kind === 'rule' ? ' that names this rule' : ''}`,
        path,
      }));
    const untold = (kind === 'rule' ? known : [])
      .filter((code) => !told.some((one) => one.code === code))
      .map((code) => ({
        message: `the text does not contain code ${code}, which reports this rule`,
        path: [...path, 'text'],
      }));
    return [...unknown, ...untold];
  });
}

/** @param {unknown} text */
function codesIn(text) {
  return typeof text === 'string' ? Array.from(text.matchAll(/\bcode (\w*\d)\b/g), ([, code = '']) => code) : [];
}
