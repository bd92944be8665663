import type { Beside } from '../../spec/envelope.ts';
import { resolve } from '../../spec/model.ts';
import type { Field } from '../../spec/parameters.ts';
import type { Schema } from '../../spec/schema.ts';
import { needsField } from '../model/at-least-one.ts';
import type { OperationModel } from '../model/operation-model.ts';
import { source } from '../typescript/literal.ts';
import { propertyKey } from '../typescript/names.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import { member, type TypeContext, typeOf } from '../typescript/type-text.ts';
import { commonName, isInterface, pagingFields } from './models.ts';
import { variantFields, variantsName, variantTypes } from './variants.ts';

/** Types and constants that the declaration of a method uses. */
export interface MethodTypes {
  /** Named constants and types, as source. */
  declarations: string;
  /** Names of the declared types. Missing if the method has none. */
  params?: string;
  result: string;
  meta?: string;
}

/** Declares the named types and constants of an operation's method. */
export function methodTypes(operation: OperationModel): MethodTypes {
  const { typeName: name, fields, envelope } = operation;
  const hasParams = fields.length > 0 || operation.hasOpenBody;
  const declarations = [
    errorCodes(operation),
    maxItems(operation),
    hasParams && paramsType(operation, `${name}Params`),
    resultType(operation, `${name}Result`),
    envelope.beside.length > 0 && metaType(operation, `${name}Meta`, envelope.beside),
  ];
  return {
    declarations: declarations.filter(Boolean).join(''),
    ...(hasParams && { params: `${name}Params` }),
    result: `${name}Result`,
    ...(envelope.beside.length > 0 && { meta: `${name}Meta` }),
  };
}

function contextOf(operation: OperationModel): TypeContext {
  return { spec: operation.spec, prefix: 'Models.' };
}

/** The documented error codes and their meanings, as a constant and a type. */
function errorCodes({ operation, place, typeName: name }: OperationModel): string {
  const codes = Object.entries(operation['x-errors'] ?? {});
  if (codes.length === 0) return '';
  const rows = codes.map(([code, { meaning }]) => `  ${source(code)}: ${source(meaning)},\n`);
  return `/** Documented error codes of \`${place}\` (the \`code\` of its \`ApiError\`) and their meanings. */
export const ${name}Errors = {\n${rows.join('')}} as const;
/** Documented error code of \`${place}\`. */
export type ${name}ErrorCode = keyof typeof ${name}Errors;\n`;
}

/** The documented maximum sizes of the lists in a request. */
function maxItems({ spec, place, typeName: name, fields }: OperationModel): string {
  const { openapi } = spec;
  const rows = fields.flatMap(({ name: field, schema, encoding }) => {
    const sent = resolve(openapi, schema);
    const given = encoding === 'json' && sent.contentSchema ? resolve(openapi, sent.contentSchema) : sent;
    if (given.maxItems === undefined) return [];
    const comment = tsdoc([`Maximum number of items of \`${field}\` per request.`], '  ');
    return [`${comment}  ${propertyKey(field)}: ${given.maxItems},\n`];
  });
  if (rows.length === 0) return '';
  return `/** Maximum number of items of each list of \`${place}\`. */
export const ${name}MaxItems = {\n${rows.join('')}} as const;\n`;
}

/** Extends the body's model if it has a name, so that each field is declared once. */
function paramsType(operation: OperationModel, name: string): string {
  const { fields, place, wrap, typeName } = operation;
  const body = namedBody(operation);
  const varying = body ? variantFields(body.schema) : [];
  const own = fields.filter(
    (field) => !body || field.in !== 'body' || (field.encoding && !varying.includes(field.name)),
  );
  const context = { ...contextOf(operation), decoded: true, request: operation.requestComponents };
  const lines = own.map(({ name: field, schema, required }: Field) => member(field, schema, required, context, '  '));
  if (operation.hasOpenBody && !body) lines.push(pagingFields(operation));
  const comment = `/** Parameters of \`${place}\`${wrap ? `: the fields of its \`${wrap}\`` : ''}. */`;
  const base = body && `Models.${body.isDivided ? commonName(body.name) : body.name}`;
  const declared = (as: string): string =>
    `export interface ${as}${base ? ` extends ${base}` : ''} {\n${lines.join('')}}\n`;
  if (body && needsField(body.schema)) return paramsWithField(operation, name, `Models.${body.name}`, lines);
  if (!body || varying.length === 0) return `${comment}\n${declared(name)}`;
  const common = lines.length > 0 ? commonName(typeName) : base;
  const shared =
    lines.length > 0
      ? `/** Parameters of \`${place}\` that are common to all its variants. */\n${declared(commonName(typeName))}`
      : '';
  const decoded = fields.some((field) => field.encoding && varying.includes(field.name));
  const variants = decoded ? variantTypes(typeName, body.schema, context) : '';
  const union = decoded ? variantsName(typeName, body.schema) : `Models.${variantsName(body.name, body.schema)}`;
  return `${shared}${variants}${comment}\nexport type ${name} = ${common} & ${union};\n`;
}

/** Parameters with a body that needs at least one field. The type is a union, which an interface cannot extend. */
function paramsWithField({ place, typeName }: OperationModel, name: string, body: string, lines: string[]): string {
  const comment = `/** Parameters of \`${place}\`. */\n`;
  if (lines.length === 0) return `${comment}export type ${name} = ${body};\n`;
  const common = commonName(typeName);
  return `/** Parameters of \`${place}\` that are not in the body. */
export interface ${common} {\n${lines.join('')}}
${comment}export type ${name} = ${common} & ${body};\n`;
}

/** The model whose fields the parameters extend. `undefined` if it is not an interface. */
function namedBody({ spec, bodyModel: name, fields }: OperationModel) {
  const schema = name && spec.openapi.components.schemas[name];
  if (!schema || !isInterface(schema)) return undefined;
  const isDivided = schema['x-variants'] !== undefined || fields.some(({ encoding }) => encoding);
  return { name, schema, isDivided };
}

function resultType(operation: OperationModel, name: string): string {
  const { paging, place, envelope } = operation;
  const item: Schema | undefined =
    paging && envelope.payload ? resolve(operation.spec.openapi, envelope.payload).items : envelope.payload;
  const comment = `/** ${paging ? 'Item in the list' : 'Result'} of \`${place}\`. */\n`;
  if (!item) return `${comment}export type ${name} = void;\n`;
  const type = typeOf(item, contextOf(operation));
  // An interface, so that users can augment unnamed records too.
  const isRecord = !item.$ref && item.type === 'object' && item.properties !== undefined;
  return comment + (isRecord ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`);
}

function metaType(operation: OperationModel, name: string, beside: Beside[]): string {
  const lines = beside.map((part) => member(part.name, part.schema, part.required, contextOf(operation), '  '));
  const comment = `/** Data that \`${operation.place}\` returns in addition to its payload. */\n`;
  return `${comment}export interface ${name} {\n${lines.join('')}}\n`;
}
