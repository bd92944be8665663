import { typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** @typedef {{ known: Record<string, string>, others: Record<string, string> }} Formats */

/**
 * A format must be one that types, validators and mock read in the same way, on its own type.
 *
 * @param {unknown} document
 * @param {Formats} formats format → its type; and the reason why another format is refused
 */
export default function formatKnown(document, { known, others }) {
  return entriesOf(document, 'schema').flatMap(({ node, path }) => {
    const format = String(node.format);
    if (node.format === undefined || (Object.hasOwn(known, format) && typesOf(node).includes(known[format]))) return [];
    const why = Object.hasOwn(known, format)
      ? `it belongs to type ${known[format]}`
      : Object.hasOwn(others, format)
        ? others[format]
        : 'validators and mock do not know it; write a `pattern`, or describe the form';
    return [{ message: `\`format: ${format}\` is refused: ${why}`, path: [...path, 'format'] }];
  });
}
