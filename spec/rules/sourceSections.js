import { isObject } from './shared/nodes.js';
import { walk } from './shared/walk.js';

/**
 * A source must name the spec's document and existing sections.
 *
 * @param {unknown} document
 */
export default function sourceSections(document) {
  const info = isObject(document) && isObject(document.info) ? document.info : {};
  const { number, sections } = isObject(info['x-document']) ? info['x-document'] : {};
  // Another rule reports this.
  if (typeof number !== 'number' || typeof sections !== 'number') return [];
  return walk(document).flatMap(({ kind, node, path }) => {
    const key = kind === 'rule' ? 'source' : 'x-source';
    const source = node[key];
    if (source === undefined) return [];
    const fault = faultOf(source, number, sections);
    if (!fault) return [];
    const message = `${fault}: write the document and its sections, ${number} §0 to §${sections}, such as ${number} §2, §4`;
    return [{ message, path: [...path, key] }];
  });
}

/**
 * @param {unknown} source
 * @param {number} number
 * @param {number} last
 * @returns {string | undefined}
 */
function faultOf(source, number, last) {
  const [, document = '', rest = ''] = /^(\d+) (§\d+(?:, §\d+)*)$/.exec(String(source)) ?? [];
  if (rest === '') return `${source} is not a source`;
  if (Number(document) !== number) return `the source of this spec is document ${number}, not ${document}`;
  const unknown = rest.split(', ').find((section) => Number(section.slice(1)) > last);
  return unknown && `document ${number} has no ${unknown}`;
}
