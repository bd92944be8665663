import { entriesOf } from './shared/walk.js';

/**
 * A pattern must be a regular expression of JavaScript, as JSON Schema reads it (with `u`) and as the validators write it (without).
 *
 * @param {unknown} document
 */
export default function patternCompiles(document) {
  return entriesOf(document, 'schema').flatMap(({ node, path }) => {
    if (typeof node.pattern !== 'string') return [];
    try {
      for (const flags of ['u', '']) new RegExp(node.pattern, flags);
      return [];
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return [{ message: `the pattern does not compile in JavaScript: ${cause}`, path: [...path, 'pattern'] }];
    }
  });
}
