import { shapesOf } from './shared/walk.js';

/**
 * A text with a schema of its content is JSON. The generators ignore `contentSchema` of other texts.
 *
 * @param {unknown} document
 */
export default function stringMediaType(document) {
  return shapesOf(document)
    .filter(({ node }) => node.contentSchema !== undefined && node.contentMediaType !== 'application/json')
    .map(({ path }) => ({
      message: 'a text with a schema of its content has `contentMediaType: application/json`: write it',
      path: [...path, 'contentSchema'],
    }));
}
