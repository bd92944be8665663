import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */
/** @typedef {{ client?: string[], docs?: string[], refused?: Record<string, string> }} Keywords */

/** Keywords that generators read beside the reference to a schema. They would lose all others. */
const besideReference = ['$ref', 'description', 'deprecated'];

/**
 * Every keyword must be on the list of its object. Others would be ignored without a word.
 *
 * @param {unknown} document
 * @param {Record<string, Keywords>} list the keywords of each kind of object
 */
export default function knownKeywords(document, list) {
  return walk(document).flatMap((entry) => {
    const keywords = list[entry.kind];
    const used = keywords ? Object.keys(entry.node).filter((key) => !key.startsWith('x-')) : [];
    return used.flatMap((key) => {
      const message = faultOf(key, entry, keywords ?? {});
      return message ? [{ message, path: [...entry.path, key] }] : [];
    });
  });
}

/**
 * @param {string} key
 * @param {Entry} entry
 * @param {Keywords} keywords
 * @returns {string | undefined}
 */
function faultOf(key, { kind, node }, { client = [], docs = [], refused = {} }) {
  if (Object.hasOwn(refused, key)) return `\`${key}\` on ${kind} is refused: ${refused[key]}`;
  if (!client.includes(key) && !docs.includes(key))
    return `\`${key}\` is no keyword of ${kind} (spec/README.md lists them)`;
  if (typeof node.$ref !== 'string') return undefined;
  const beside = kind === 'schema' ? besideReference : ['$ref'];
  return beside.includes(key)
    ? undefined
    : `\`${key}\` beside \`$ref\` is lost: write it at ${node.$ref}, or declare a component of its own`;
}
