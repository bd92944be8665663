import { listOperations, type Operation, type Spec } from '../spec/model.ts';
import { type Field, flatFields, sdkOf } from '../spec/parameters.ts';
import { header } from './header.ts';
import { methodDocs } from './method-docs.ts';
import { type MethodTypes, methodTypes, typeName } from './method-types.ts';
import { pascalCase, propertyKey } from './names.ts';
import { literal } from './operations.ts';
import { tsdoc } from './tsdoc.ts';

/** `methods.ts`: parameters and result of each operation by name, and a method for it where `x-sdk` puts it. */
export function generateMethods(spec: Spec): string {
  const operations = listOperations(spec);
  const tree = buildTree(operations);
  refuseSameNames(operations);
  const methods = new Map(operations.map((operation) => [operation, describeMethod(operation)]));
  const write = (line: (method: Method, indent: string) => string) => (operation: Operation, indent: string) => {
    const method = methods.get(operation);
    return method ? line(method, indent) : '';
  };
  const name = `${pascalCase(spec.name)}Methods`;
  const all = [...methods.values()];
  const isPaged = all.some((method) => method.paged);
  return `${header(`spec/${spec.name}.yaml`)}
import type { Call, ${isPaged ? 'List, ' : ''}MethodCaller, MethodOptions } from '../../src/core/method.ts';
import type * as Models from './models.ts';

${all.map((method) => method.declarations).join('\n')}
/** The operations of the spec as methods. */
export interface ${name} ${writeTree(
    tree,
    '',
    write((method, indent) => `${method.docs(indent)}${indent}${method.signature};\n`),
    groupDocs,
  )}

/** Makes the methods over a caller. */
export function ${spec.name}Methods({ call${isPaged ? ', list' : ''} }: MethodCaller): ${name} {
  return ${writeTree(
    tree,
    '  ',
    write((method, indent) => `${indent}${method.implementation},\n`),
    () => '',
    ',',
  )};
}
`;
}

interface Method {
  paged: boolean;
  declarations: string;
  docs(indent: string): string;
  signature: string;
  implementation: string;
}

function describeMethod(operation: Operation): Method {
  const fields = flatFields(operation);
  const types = methodTypes(operation, fields);
  const paged = operation.operation['x-pagination'] !== undefined;
  const name = propertyKey(placeOf(operation).at(-1) ?? '');
  const hand = types.params ? 'params, options' : 'options';
  const args = [literal(operation.key), types.params ? 'params' : 'undefined', 'options', ...rules(operation, fields)];
  return {
    paged,
    declarations: types.declarations,
    docs: (indent) => methodDocs(operation, fields, indent),
    signature: `${name}(${parameters(types, fields)}): ${paged ? 'List' : 'Call'}<${[types.result, types.meta].filter(Boolean).join(', ')}>`,
    implementation: `${name}: (${hand}) => ${paged ? 'list' : 'call'}(${args.join(', ')})`,
  };
}

function parameters({ params }: MethodTypes, fields: Field[]): string {
  const options = 'options?: MethodOptions';
  return params ? `params${fields.some((field) => field.required) ? '' : '?'}: ${params}, ${options}` : options;
}

/** What the method knows beyond a call by path: how its list is paged, and what it does with the body. */
function rules(operation: Operation, fields: Field[]): string[] {
  const paging = operation.operation['x-pagination'];
  const encoded = fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const { unwrapBody: wrap } = sdkOf(operation);
  if (paging) {
    if (wrap || encoded.length > 0) {
      throw new Error(`${operation.operationId}: the method of a paged list neither encodes nor wraps its fields yet`);
    }
    const { in: place, limit, offset, maximum, 'x-inferred': inferred } = paging;
    return [source({ in: place, limit, offset, ...(maximum && { maximum }), ...(inferred && { inferred: true }) })];
  }
  if (!wrap && encoded.length === 0) return [];
  return [source({ ...(wrap && { wrap }), ...(encoded.length > 0 && { encode: Object.fromEntries(encoded) }) })];
}

/** A small object as TypeScript source. */
function source(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${propertyKey(name)}: ${source(inner)}`)
    .join(', ')} }`;
}

/** Nested groups of operations, in the order of the spec. */
type Tree = Map<string, Tree | Operation>;

function placeOf(operation: Operation): string[] {
  return sdkOf(operation).method.split('.');
}

function buildTree(operations: Operation[]): Tree {
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

/** `push.campaigns` and `pushCampaigns` are two places, and one name of a type. */
function refuseSameNames(operations: Operation[]): void {
  const names = new Map<string, Operation>();
  for (const operation of operations) {
    const name = typeName(operation);
    const other = names.get(name);
    if (other)
      throw new Error(`${operation.operationId}: its types would be named ${name}… like those of ${other.operationId}`);
    names.set(name, operation);
  }
}

function writeTree(
  tree: Tree,
  indent: string,
  leaf: (operation: Operation, indent: string) => string,
  group: (tree: Tree, indent: string) => string,
  end = ';',
): string {
  const inner = `${indent}  `;
  const entries = [...tree].map(([name, node]) =>
    node instanceof Map
      ? `${group(node, inner)}${inner}${propertyKey(name)}: ${writeTree(node, inner, leaf, group, end)}${end}\n`
      : leaf(node, inner),
  );
  return `{\n${entries.join('')}${indent}}`;
}

/** What the tags of a group's own methods say, or those of the groups in it where it has no method. */
function groupDocs(tree: Tree, indent: string): string {
  const own = [...tree.values()].flatMap((node) => (node instanceof Map ? [] : [node]));
  const operations = own.length > 0 ? own : operationsIn(tree);
  const tags = operations.flatMap(({ spec, operation }) =>
    spec.document.tags.filter(({ name }) => operation.tags.includes(name)),
  );
  return tsdoc(
    [...new Set(tags)].map(({ description }) => description),
    indent,
  );
}

function operationsIn(tree: Tree): Operation[] {
  return [...tree.values()].flatMap((node) => (node instanceof Map ? operationsIn(node) : [node]));
}
