import { isText, resolve } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

/**
 * Every property must have a description, either its own or its component's.
 *
 * @param {unknown} spec
 */
export default function propertyDescription(spec) {
  return shapesOf(spec)
    .filter(
      ({ node, role }) =>
        role === 'properties' && !isText(node.description) && !isText(resolve(spec, node).description),
    )
    .map(({ path }) => ({ message: `the property ${path.at(-1)} has no description`, path }));
}
