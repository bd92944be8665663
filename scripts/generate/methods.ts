import { header } from './header.ts';
import { methodDocs } from './method-docs.ts';
import { type MethodTypes, methodTypes } from './method-types.ts';
import { propertyKey } from './names.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';
import { tsdoc } from './tsdoc.ts';

/** `methods.ts`: named parameters and result of each operation, and its method at the place in `x-sdk`. */
export function generateMethods({ spec, typeName, operations }: SpecModel): string {
  const tree = buildTree(operations);
  refuseSameNames(operations);
  const methods = new Map(operations.map((operation) => [operation, describeMethod(operation)]));
  const write = (operation: OperationModel): string => {
    const method = methods.get(operation);
    return method ? `${method.docs}${method.signature};\n` : '';
  };
  const isPaged = operations.some(({ paging }) => paging);
  return `${header(`spec/${spec.name}.yaml`)}
import type { Call, ${isPaged ? 'List, ' : ''}MethodOptions } from '../../src/core/method.ts';
import type * as Models from './models.ts';

${[...methods.values()].map((method) => method.declarations).join('\n')}
/** The operations of the spec as methods. */
export interface ${typeName}Methods ${writeTree(tree, write)}
`;
}

interface Method {
  declarations: string;
  docs: string;
  signature: string;
}

function describeMethod(operation: OperationModel): Method {
  const types = methodTypes(operation);
  const name = propertyKey(placeOf(operation).at(-1) ?? '');
  const result = [types.result, types.meta].filter(Boolean).join(', ');
  return {
    declarations: types.declarations,
    docs: methodDocs(operation),
    signature: `${name}(${parameters(types, operation)}): ${operation.paging ? 'List' : 'Call'}<${result}>`,
  };
}

function parameters({ params }: MethodTypes, { fields }: OperationModel): string {
  const options = 'options?: MethodOptions';
  return params ? `params${fields.some((field) => field.required) ? '' : '?'}: ${params}, ${options}` : options;
}

/** Nested groups of operations, in the order of the spec. */
type Tree = Map<string, Tree | OperationModel>;

function placeOf({ place }: OperationModel): string[] {
  return place.split('.');
}

function buildTree(operations: OperationModel[]): Tree {
  const root: Tree = new Map();
  for (const operation of operations) {
    const place = placeOf(operation);
    const refuse = (why: string): never => {
      throw new Error(`${operation.operationId}: x-sdk ${place.join('.')} ${why}`);
    };
    let tree = root;
    for (const name of place.slice(0, -1)) {
      const next = tree.get(name) ?? new Map();
      if (!(next instanceof Map)) return refuse(`passes through the method ${name} of ${next.operationId}`);
      tree.set(name, next);
      tree = next;
    }
    const own = place.at(-1) ?? '';
    const other = tree.get(own);
    if (other instanceof Map) refuse('is a group of methods already');
    else if (other) refuse(`is the method of ${other.operationId} already`);
    tree.set(own, operation);
  }
  return root;
}

/** Fails if two places, such as `push.campaigns` and `pushCampaigns`, result in the same type name. */
function refuseSameNames(operations: OperationModel[]): void {
  const names = new Map<string, OperationModel>();
  for (const operation of operations) {
    const name = operation.typeName;
    const other = names.get(name);
    if (other)
      throw new Error(`${operation.operationId}: its types would be named ${name}… like those of ${other.operationId}`);
    names.set(name, operation);
  }
}

function writeTree(tree: Tree, leaf: (operation: OperationModel) => string): string {
  const entries = [...tree].map(([name, node]) =>
    node instanceof Map ? `${groupDocs(node)}${propertyKey(name)}: ${writeTree(node, leaf)};\n` : leaf(node),
  );
  return `{\n${entries.join('')}}`;
}

/** Descriptions of the tags of a group's methods or, if it has none, of the groups in it. */
function groupDocs(tree: Tree): string {
  const own = [...tree.values()].flatMap((node) => (node instanceof Map ? [] : [node]));
  const operations = own.length > 0 ? own : operationsIn(tree);
  const tags = operations.flatMap(({ spec, operation }) =>
    spec.document.tags.filter(({ name }) => operation.tags.includes(name)),
  );
  return tsdoc([...new Set(tags)].map(({ description }) => description));
}

function operationsIn(tree: Tree): OperationModel[] {
  return [...tree.values()].flatMap((node) => (node instanceof Map ? operationsIn(node) : [node]));
}
