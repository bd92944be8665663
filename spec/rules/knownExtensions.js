import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * A misspelt or misplaced extension would be ignored in silence: every `x-` key is one of ours and stands in its place.
 *
 * @param {unknown} document
 * @param {Record<string, 'anything' | string[]>} places the extensions, and what each of them stands on
 */
export default function knownExtensions(document, places) {
  return walk(document).flatMap((entry) =>
    Object.keys(entry.node)
      .filter((key) => key.startsWith('x-'))
      .flatMap((key) => {
        const message = faultOf(key, entry, places);
        return message ? [{ message, path: [...entry.path, key] }] : [];
      }),
  );
}

/**
 * @param {string} key
 * @param {Entry} entry
 * @param {Record<string, 'anything' | string[]>} places
 */
function faultOf(key, entry, places) {
  const allowed = places[key];
  if (allowed === undefined) return `${key} is not one of our extensions (${Object.keys(places).join(', ')})`;
  if (allowed === 'anything' || allowed.includes(entry.kind)) return undefined;
  if (allowed.includes('component schema') && isComponentSchema(entry)) return undefined;
  return `${key} stands on ${allowed.join(' or ')}, not on ${entry.kind}`;
}

/** @param {Entry} entry */
function isComponentSchema({ kind, parent }) {
  return kind === 'schema' && parent?.kind === 'components';
}
