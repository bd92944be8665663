import { entries, resolve } from './shared/nodes.js';
import { entriesOf } from './shared/walk.js';

/**
 * An operation has one success body, because its method returns one type. Statuses are written out, so that the docs, types and
 * mock name them.
 *
 * @param {unknown} document
 */
export default function successOne(document) {
  return entriesOf(document, 'responses').flatMap(({ node, path }) => {
    const [first, ...others] = Object.keys(node).filter((status) => /^2\d\d$/.test(status));
    return others
      .filter((status) => contentOf(document, node[status]) !== contentOf(document, node[first ?? '']))
      .map((status) => ({
        message: `${status} has another body than ${first}, and a method returns one type: give both the same schema, such as \`anyOf\``,
        path: [...path, status],
      }));
  });
}

/**
 * @param {unknown} document
 * @param {unknown} response
 */
function contentOf(document, response) {
  const schemas = entries(resolve(document, response).content).map(([type, media]) => [type, Object(media).schema]);
  return JSON.stringify(schemas);
}
