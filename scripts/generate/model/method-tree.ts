import { SpecFault } from '../../spec/fault.ts';
import { propertyKey } from '../typescript/names.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import type { OperationModel } from './operation-model.ts';

/** Nested groups of operations, in the order of the spec. */
export type Tree = Map<string, Tree | OperationModel>;

/** Path of an operation in the client, in parts: `deals.comments.create`. */
export function placeOf({ place }: OperationModel): string[] {
  return place.split('.');
}

/** @throws {@link SpecFault} if two operations have the same place, or one is inside the place of another. */
export function buildTree(operations: OperationModel[]): Tree {
  const root: Tree = new Map();
  for (const operation of operations) {
    const place = placeOf(operation);
    const fail = (why: string): never => {
      const at = ['paths', operation.path, operation.method.toLowerCase(), 'x-sdk'];
      throw new SpecFault('sdk-unique', at, `${operation.operationId}: x-sdk ${place.join('.')} ${why}`);
    };
    let tree = root;
    for (const name of place.slice(0, -1)) {
      const next = tree.get(name) ?? new Map();
      if (!(next instanceof Map)) return fail(`passes through the method ${name} of ${next.operationId}`);
      tree.set(name, next);
      tree = next;
    }
    const own = place.at(-1) ?? '';
    const other = tree.get(own);
    if (other instanceof Map) fail('is already a group of methods');
    else if (other) fail(`is already the method of ${other.operationId}`);
    tree.set(own, operation);
  }
  return root;
}

/**
 * The type of a tree. Groups become objects.
 *
 * @param member - a member that every group has
 */
export function writeTree(tree: Tree, leaf: (operation: OperationModel) => string, member = ''): string {
  const entries = [...tree].map(([name, node]) =>
    node instanceof Map ? `${groupDocs(node)}${propertyKey(name)}: ${writeTree(node, leaf, member)};\n` : leaf(node),
  );
  return `{\n${member}${entries.join('')}}`;
}

/** Descriptions of the tags of a group's methods. A group without methods uses those of its subgroups. */
function groupDocs(tree: Tree): string {
  const own = [...tree.values()].flatMap((node) => (node instanceof Map ? [] : [node]));
  const operations = own.length > 0 ? own : operationsIn(tree);
  const tags = operations.flatMap(({ spec, operation }) =>
    spec.openapi.tags.filter(({ name }) => operation.tags.includes(name)),
  );
  return tsdoc([...new Set(tags)].map(({ description }) => description));
}

function operationsIn(tree: Tree): OperationModel[] {
  return [...tree.values()].flatMap((node) => (node instanceof Map ? operationsIn(node) : [node]));
}
