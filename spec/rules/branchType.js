import { isObject, listOf } from './shared/nodes.js';
import { shapesOf } from './shared/walk.js';

const combinations = ['allOf', 'anyOf', 'oneOf'];

/**
 * The generator of validators types a branch without its own `type` as `unknown`. With an `anyOf` of `required` lists, the
 * surrounding object loses its type.
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
