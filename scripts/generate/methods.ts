import { deriveEnvelope } from '../spec/envelope.ts';
import { listOperations, type Operation, resolve, type Spec } from '../spec/model.ts';
import { type Field, flatFields, hasOpenBody, sdkOf } from '../spec/parameters.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { methodDocs } from './method-docs.ts';
import { pascalCase, propertyKey } from './names.ts';
import { literal } from './operations.ts';
import { member, type TypeContext, typeOf } from './typescript.ts';

/** `methods.ts`: parameters and result of each operation by name, and a method for it where `x-sdk` puts it. */
export function generateMethods(spec: Spec): string {
  const methods = listOperations(spec).map((operation) => describeMethod(operation));
  const name = `${pascalCase(spec.name)}Methods`;
  const tree = buildTree(methods);
  return `${header(`spec/${spec.name}.yaml`)}
import type { Call, List, MethodCaller, MethodOptions } from '../../src/core/method.ts';
import type * as Models from './models.ts';

${methods.map((method) => method.declarations).join('\n')}
/** The operations of the spec as methods. */
export interface ${name} ${writeTree(tree, '', (method, indent) => `${method.docs(indent)}${indent}${method.signature};\n`)}

/** Makes the methods over a caller. */
export function ${spec.name}Methods({ call${methods.some((method) => method.paged) ? ', list' : ''} }: MethodCaller): ${name} {
  return ${writeTree(tree, '  ', (method, indent) => `${indent}${method.implementation},\n`, ',')};
}
`;
}

interface Method {
  place: string[];
  paged: boolean;
  declarations: string;
  docs(indent: string): string;
  signature: string;
  implementation: string;
}

function describeMethod(operation: Operation): Method {
  const place = sdkOf(operation).method.split('.');
  const own = place.at(-1) ?? '';
  const typeName = place.map(pascalCase).join('');
  const fields = flatFields(operation);
  const open = hasOpenBody(operation);
  const taken = fields.length > 0 || open;
  const required = fields.some((field) => field.required);
  const paged = operation.operation['x-pagination'] !== undefined;
  const result = resultTypes(operation, paged);
  const parameter = taken ? `params${required ? '' : '?'}: ${typeName}Params, ` : '';
  const returned = `${paged ? 'List' : 'Call'}<${typeName}Result${result.meta ? `, ${result.meta}` : ''}>`;
  const hand = taken ? 'params, options' : 'options';
  const verb = paged ? 'list' : 'call';
  return {
    place,
    paged,
    declarations: `${errorCodes(operation, typeName)}${maxItems(operation, typeName, fields)}${taken ? paramsType(operation, `${typeName}Params`, fields, open) : ''}${resultType(operation, typeName, result.data, paged)}`,
    docs: (indent) => methodDocs(operation, fields, indent),
    signature: `${own}(${parameter}options?: MethodOptions): ${returned}`,
    implementation: `${own}: (${hand}) => ${verb}(${[literal(operation.key), taken ? 'params' : 'undefined', 'options', ...rules(operation, fields)].join(', ')})`,
  };
}

/** The documented codes with their meanings, as a constant and as a type. */
function errorCodes(operation: Operation, typeName: string): string {
  const codes = Object.entries(operation.operation['x-errors'] ?? {});
  if (codes.length === 0) return '';
  const method = sdkOf(operation).method;
  const rows = codes.map(([code, meaning]) => `  '${code}': ${JSON.stringify(meaning)},\n`);
  return `/** The documented codes of a failed \`${method}\` (the \`code\` of its \`ApiError\`), with their meanings. */
export const ${typeName}Errors = {\n${rows.join('')}} as const;
/** A documented code of a failed \`${method}\`. */
export type ${typeName}ErrorCode = keyof typeof ${typeName}Errors;\n`;
}

/** The documented sizes of the lists that a request takes: what `runInBatches` splits by. */
function maxItems(operation: Operation, typeName: string, fields: Field[]): string {
  const rows = fields.flatMap(({ name, schema }) => {
    const { maxItems: most } = resolve(operation.spec.document, schema);
    return most === undefined ? [] : [`  ${propertyKey(name)}: ${most},\n`];
  });
  if (rows.length === 0) return '';
  return `/** How many items each list of \`${sdkOf(operation).method}\` takes at most. */
export const ${typeName}MaxItems = {\n${rows.join('')}} as const;\n`;
}

/** What the method knows beyond a call by path: how its list is paged, and what it does with the body. */
function rules(operation: Operation, fields: Field[]): string[] {
  const paging = operation.operation['x-pagination'];
  if (paging) {
    const { in: place, limit, offset, maximum } = paging;
    const known = {
      in: place,
      limit,
      offset,
      ...(maximum && { maximum }),
      ...(paging['x-inferred'] && { inferred: true }),
    };
    return [source(known)];
  }
  const encoded = fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const { unwrapBody: wrap } = sdkOf(operation);
  if (!wrap && encoded.length === 0) return [];
  return [source({ ...(wrap && { wrap }), ...(encoded.length > 0 && { encode: Object.fromEntries(encoded) }) })];
}

/** A small object as TypeScript source. */
function source(value: object): string {
  return JSON.stringify(value)
    .replaceAll(/"(\w+)":/g, '$1: ')
    .replaceAll(',', ', ')
    .replaceAll('"', "'");
}

function paramsType(operation: Operation, name: string, fields: Field[], open: boolean): string {
  const comment = `/** Parameters of \`${sdkOf(operation).method}\`. */\n`;
  if (open) return `${comment}export interface ${name} {\n  [field: string]: unknown;\n}\n`;
  const context: TypeContext = { spec: operation.spec, prefix: 'Models.', decoded: true };
  const lines = fields.map((field) => member(field.name, field.schema, field.required, context, '  '));
  return `${comment}export interface ${name} {\n${lines.join('')}}\n`;
}

function resultType(operation: Operation, typeName: string, type: string, paged: boolean): string {
  const what = paged ? 'An item of what' : 'What';
  return `/** ${what} \`${sdkOf(operation).method}\` gives. */\nexport type ${typeName}Result = ${type};\n`;
}

/** The types of the payload (of an item, where the list is paged) and of what stands beside it. */
function resultTypes(operation: Operation, paged: boolean): { data: string; meta?: string } {
  const envelope = deriveEnvelope(operation);
  if (envelope.empty || !operation.success.schema) return { data: 'void' };
  const { document } = operation.spec;
  const context: TypeContext = { spec: operation.spec, prefix: 'Models.' };
  const beside: string[] = [];
  let schema: Schema = operation.success.schema;
  for (const key of envelope.keys) {
    const parent = resolve(document, schema);
    for (const [name, sibling] of Object.entries(parent.properties ?? {})) {
      if (name === key) continue;
      const lifted = name === 'meta' ? resolve(document, sibling).properties : { [name]: sibling };
      for (const [inner, innerSchema] of Object.entries(lifted ?? {}))
        beside.push(`${inner}: ${typeOf(innerSchema, context)}`);
    }
    schema = parent.properties?.[key] ?? schema;
  }
  const meta = beside.length > 0 ? { meta: `{ ${beside.join('; ')} }` } : {};
  if (!paged) return { data: typeOf(schema, context), ...meta };
  const items = resolve(document, schema).items;
  if (!items) throw new Error(`${operation.operationId}: x-pagination stands on a reply that is no list`);
  return { data: typeOf(items, context), ...meta };
}

/** Nested groups of methods, in the order of the spec. */
type Tree = Map<string, Tree | Method>;

function buildTree(methods: Method[]): Tree {
  const root: Tree = new Map();
  for (const method of methods) {
    let tree = root;
    for (const name of method.place.slice(0, -1)) {
      const next = tree.get(name) ?? new Map();
      if (!(next instanceof Map)) throw new Error(`x-sdk ${method.place.join('.')} passes through the method ${name}`);
      tree.set(name, next);
      tree = next;
    }
    const own = method.place.at(-1) ?? '';
    if (tree.has(own)) throw new Error(`x-sdk ${method.place.join('.')} stands twice`);
    tree.set(own, method);
  }
  return root;
}

function writeTree(tree: Tree, indent: string, leaf: (method: Method, indent: string) => string, end = ';'): string {
  const inner = `${indent}  `;
  const entries = [...tree].map(([name, node]) =>
    node instanceof Map ? `${inner}${name}: ${writeTree(node, inner, leaf, end)}${end}\n` : leaf(node, inner),
  );
  return `{\n${entries.join('')}${indent}}`;
}
