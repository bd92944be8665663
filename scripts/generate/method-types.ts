import { deriveEnvelope } from '../spec/envelope.ts';
import { type Operation, resolve } from '../spec/model.ts';
import { type Field, hasOpenBody, sdkOf } from '../spec/parameters.ts';
import type { Schema } from '../spec/schema.ts';
import { pascalCase, propertyKey } from './names.ts';
import { literal } from './operations.ts';
import { sourceText } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';
import { member, type TypeContext, typeOf } from './typescript.ts';

/** What a method is declared with. */
export interface MethodTypes {
  /** Named constants and types, as source. */
  declarations: string;
  /** Names of the declared types; what a method does not have is left out. */
  params?: string;
  result: string;
  meta?: string;
}

/** The beginning of every name that is declared for an operation. */
export function typeName(operation: Operation): string {
  return sdkOf(operation).method.split('.').map(pascalCase).join('');
}

/** The named types and constants of an operation's method. */
export function methodTypes(operation: Operation, fields: Field[]): MethodTypes {
  const name = typeName(operation);
  const hasParams = fields.length > 0 || hasOpenBody(operation);
  const { payload, beside } = replyParts(operation);
  const declarations = [
    errorCodes(operation, name),
    maxItems(operation, name, fields),
    hasParams && paramsType(operation, `${name}Params`, fields),
    resultType(operation, `${name}Result`, payload),
    beside.length > 0 && metaType(operation, `${name}Meta`, beside),
  ];
  return {
    declarations: declarations.filter(Boolean).join(''),
    ...(hasParams && { params: `${name}Params` }),
    result: `${name}Result`,
    ...(beside.length > 0 && { meta: `${name}Meta` }),
  };
}

function contextOf(operation: Operation): TypeContext {
  return { spec: operation.spec, prefix: 'Models.', source: operation.operation['x-source'] };
}

/** The documented codes with their meanings, as a constant and as a type. */
function errorCodes(operation: Operation, name: string): string {
  const codes = Object.entries(operation.operation['x-errors'] ?? {});
  if (codes.length === 0) return '';
  const { method } = sdkOf(operation);
  const rows = codes.map(([code, { meaning }]) => `  ${literal(code)}: ${JSON.stringify(meaning)},\n`);
  return `/** The documented codes of a failed \`${method}\` (the \`code\` of its \`ApiError\`), with their meanings. */
export const ${name}Errors = {\n${rows.join('')}} as const;
/** A documented code of a failed \`${method}\`. */
export type ${name}ErrorCode = keyof typeof ${name}Errors;\n`;
}

/** The documented sizes of the lists that a request takes: what `runInBatches` splits by. */
function maxItems(operation: Operation, name: string, fields: Field[]): string {
  const { document } = operation.spec;
  const rows = fields.flatMap(({ name: field, schema, encoding, source }) => {
    const sent = resolve(document, schema);
    const given = encoding === 'json' && sent.contentSchema ? resolve(document, sent.contentSchema) : sent;
    if (given.maxItems === undefined) return [];
    const comment = tsdoc([`Most items of \`${field}\` in one request. ${sourceText(source)}`], '  ');
    return [`${comment}  ${propertyKey(field)}: ${given.maxItems},\n`];
  });
  if (rows.length === 0) return '';
  return `/** How many items each list of \`${sdkOf(operation).method}\` takes at most. */
export const ${name}MaxItems = {\n${rows.join('')}} as const;\n`;
}

function paramsType(operation: Operation, name: string, fields: Field[]): string {
  const lines = fields.map(({ name: field, schema, required, source }) =>
    member(field, schema, required, { ...contextOf(operation), decoded: true, source }, '  '),
  );
  if (hasOpenBody(operation)) lines.push(...pagingFields(operation), '  [field: string]: unknown;\n');
  return `/** Parameters of \`${sdkOf(operation).method}\`. */\nexport interface ${name} {\n${lines.join('')}}\n`;
}

/** An open body says nothing of the fields that its list is paged by; the paging does. */
function pagingFields(operation: Operation): string[] {
  const paging = operation.operation['x-pagination'];
  if (paging?.in !== 'body') return [];
  const inferred = [paging['x-inferred'] ?? []].flat();
  const field = (name: string, description: string): string => {
    const said = `${description} ${sourceText(operation.operation['x-source'])}`;
    return `${tsdoc([said, ...inferred], '  ')}  ${propertyKey(name)}?: number;\n`;
  };
  return [field(paging.limit, 'How many items a page has.'), field(paging.offset, 'How many items to skip.')];
}

function resultType(operation: Operation, name: string, payload: Schema | undefined): string {
  const { method } = sdkOf(operation);
  const isPaged = operation.operation['x-pagination'] !== undefined;
  const item = isPaged && payload ? resolve(operation.spec.document, payload).items : payload;
  if (isPaged && !item) throw new Error(`${operation.operationId}: x-pagination stands on a reply that is no list`);
  const comment = `/** ${isPaged ? 'An item of what' : 'What'} \`${method}\` gives. */\n`;
  if (!item) return `${comment}export type ${name} = void;\n`;
  const type = typeOf(item, contextOf(operation));
  // A record without a name of its own: as an interface it can be augmented, too.
  const isRecord = !item.$ref && item.type === 'object' && item.properties !== undefined;
  return comment + (isRecord ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`);
}

interface Beside {
  name: string;
  schema: Schema;
  required: boolean;
}

function metaType(operation: Operation, name: string, beside: Beside[]): string {
  const lines = beside.map((part) => member(part.name, part.schema, part.required, contextOf(operation), '  '));
  const comment = `/** What stands beside the payload of \`${sdkOf(operation).method}\`. */\n`;
  return `${comment}export interface ${name} {\n${lines.join('')}}\n`;
}

/** The payload of a reply, and what stands beside it on the way there; the members of a `meta` are lifted. */
function replyParts(operation: Operation): { payload?: Schema; beside: Beside[] } {
  const envelope = deriveEnvelope(operation);
  const { document } = operation.spec;
  if (envelope.empty || !operation.success.schema) return { beside: [] };
  let payload: Schema = operation.success.schema;
  const beside: Beside[] = [];
  for (const key of envelope.keys) {
    const { properties = {}, required = [] }: Schema = resolve(document, payload);
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (name === key) payload = schema;
      else if (name === 'meta') beside.push(...membersOf(resolve(document, schema), isRequired));
      else beside.push({ name, schema, required: isRequired });
    }
  }
  return { payload, beside };
}

function membersOf({ properties = {}, required = [] }: Schema, isGiven: boolean): Beside[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: isGiven && required.includes(name),
  }));
}
