import { isObject, listOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

const combinations = ['allOf', 'anyOf', 'oneOf'];

/**
 * A branch without a `type` of its own is `unknown` to the validators' generator, and an `anyOf` of `required` lists
 * loses the type of the object around it.
 *
 * @param {unknown} document
 */
export default function branchType(document) {
  return shapesOf(document).flatMap(({ node, path }) =>
    combinations.flatMap((combination) =>
      listOf(node[combination]).flatMap((branch, index) =>
        isObject(branch) && branch.type === undefined && branch.$ref === undefined
          ? [
              {
                message: `a branch of ${combination} needs its own \`type\` or \`$ref\``,
                path: [...path, combination, index],
              },
            ]
          : [],
      ),
    ),
  );
}
