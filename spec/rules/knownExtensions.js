import { walk } from './shared/walk.js';

/** @typedef {import('./shared/walk.js').Entry} Entry */

/**
 * Every `x-` key must be a known extension in an allowed place. Others would be ignored silently.
 *
 * @param {unknown} document
 * @param {Record<string, 'anything' | string[]>} places the extensions and the objects on which each is allowed
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
  if (allowed === undefined) return `${key} is not a known extension (${Object.keys(places).join(', ')})`;
  if (allowed === 'anything' || allowed.includes(entry.kind)) return undefined;
  if (allowed.includes('component schema') && isComponentSchema(entry)) return undefined;
  return `${key} is allowed on ${allowed.join(' or ')}, not on ${entry.kind}`;
}

/** @param {Entry} entry */
function isComponentSchema({ kind, parent }) {
  return kind === 'schema' && parent?.kind === 'components';
}
