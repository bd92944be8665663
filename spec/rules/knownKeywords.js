import { isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */
/** @typedef {{ client?: string[], docs?: string[], unread?: Record<string, string> }} Known */

/** Keywords that generators read beside the reference to a schema. They would lose all others. */
const besideReference = ['$ref', 'description', 'deprecated'];

/**
 * Every keyword, and every value of some keywords, must be on the list of its object. Others would be ignored silently.
 *
 * @param {unknown} spec
 * @param {Record<string, Known>} list kind of object, or a keyword on it such as `schema.format` → what is read, and what to write instead
 * of the rest
 */
export default function knownKeywords(spec, list) {
  return walk(spec).flatMap(({ kind, node, path }) => {
    const keywords = list[kind];
    const used = keywords ? Object.keys(node).filter((key) => !key.startsWith('x-')) : [];
    return used.flatMap((key) => {
      const values = list[`${kind}.${key}`];
      const message =
        faultOf(`\`${key}\` on ${kind}`, key, keywords ?? {}) ??
        (values &&
          valuesOf(node[key])
            .map((value) => faultOf(`\`${key}: ${value}\``, value, values))
            .find(Boolean)) ??
        referenceFault(key, kind, node);
      return message ? [{ message, path: [...path, key] }] : [];
    });
  });
}

/**
 * @param {string} what
 * @param {string} word
 * @param {Known} known
 */
function faultOf(what, word, { client = [], docs = [], unread = {} }) {
  if (Object.hasOwn(unread, word)) return `nothing reads ${what}: ${unread[word]}`;
  const read = [...client, ...docs];
  // A list of unread words only accepts any other.
  if (read.length === 0 || read.includes(word)) return undefined;
  return `nothing reads ${what}: write ${read.join(', ')}, or ask for it in an issue`;
}

/**
 * @param {unknown} value a word, or a map by words
 * @returns {string[]}
 */
function valuesOf(value) {
  return isObject(value) ? Object.keys(value) : [String(value)];
}

/**
 * @param {string} key
 * @param {string} kind
 * @param {Record<string, unknown>} node
 */
function referenceFault(key, kind, { $ref: reference }) {
  const beside = kind === 'schema' ? besideReference : ['$ref'];
  if (typeof reference !== 'string' || beside.includes(key)) return undefined;
  return `\`${key}\` beside \`$ref\` is lost: write it at ${reference}, or declare a component of its own`;
}
