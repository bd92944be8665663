import { listOf, resolve, typesOf } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/** Place and kind of value → the styles that the client writes, with `explode`. The first is OpenAPI's default. */
const styles = {
  path: { value: ['simple'], list: [], object: [] },
  header: { value: ['simple'], list: [], object: [] },
  query: {
    value: ['form', 'form true'],
    list: ['form true', 'form', 'spaceDelimited', 'pipeDelimited'],
    object: ['form true', 'deepObject', 'deepObject true'],
  },
};

/**
 * The style of a parameter must be one that the client writes.
 *
 * @param {unknown} document
 */
export default function parameterStyle(document) {
  return entriesOf(document, 'parameter').flatMap(({ node, path }) => {
    const place = Object.entries(styles).find(([name]) => name === node.in)?.[1];
    if (!place || (node.style === undefined && node.explode === undefined)) return [];
    const types = typesOf(resolve(document, node.schema));
    const known = types.includes('array') ? place.list : types.includes('object') ? place.object : place.value;
    const { style = node.in === 'query' ? 'form' : 'simple', explode = style === 'form' } = node;
    const written = `${style}${explode ? ' true' : ''}`;
    if (known.includes(written) || known.length === 0) return [];
    const choices = listOf(known).map((each) => String(each).replace(' true', ' with `explode: true`'));
    const message = `the client does not write ${written.replace(' true', ' with `explode: true`')} in ${node.in}: write ${choices.join(', ')}, or build it in src/client/core/openapi-client.ts`;
    return [{ message, path: [...path, node.style === undefined ? 'explode' : 'style'] }];
  });
}
