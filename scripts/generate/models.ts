import { resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { pascalCase, propertyKey } from './names.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';
import { schemaDocs, sourceText } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';
import { members, type TypeContext, typeOf } from './typescript.ts';

/**
 * `models.ts`: every component schema under its own name. Objects are interfaces. An open record extends an empty
 * interface for a user's own fields, which the bodies that write the record extend too (`x-record`). Enums with named
 * values are constants as well as types.
 */
export function generateModels({ spec, operations }: SpecModel): string {
  const filters = operations.filter(({ hasOpenBody }) => hasOpenBody);
  const models = Object.entries(spec.document.components.schemas).map(([name, schema]) => {
    const filter = filters.find(({ body }) => body?.schema.$ref === `#/components/schemas/${name}`);
    return model(name, schema, spec, filter ? pagingFields(filter) : '');
  });
  return `${header(`spec/${spec.name}.yaml`)}\n${models.join('\n')}`;
}

function model(name: string, schema: Schema, spec: Spec, paging: string): string {
  const context: TypeContext = { spec, prefix: '', source: schema['x-source'] };
  const comment = tsdoc(schemaDocs(schema, { source: context.source }));
  if (schema.enum && schema['x-enum-varnames']) return comment + constants(name, schema);
  if (!isInterface(schema)) return `${comment}export type ${name} = ${typeOf(schema, context)};\n`;
  const { bases, own } = inheritance(schema);
  const isRecord = isOpenRecord(schema);
  const heritage = [
    ...bases.map((base) => typeOf(base, context)),
    ...(isRecord ? [`${name}Fields`] : []),
    ...recordsOf(schema, spec).map((record) => `${record}Fields`),
  ];
  const clause = heritage.length > 0 ? ` extends ${heritage.join(', ')}` : '';
  const lines = paging + (own.properties ? members(own, context, '  ') : '');
  const text = `${comment}export interface ${name}${clause} {${lines && `\n${lines}`}}\n`;
  return isRecord ? ownFields(name, spec, paging !== '') + text : text;
}

/** An open body does not declare the fields that its list is paged by; the paging does. */
export function pagingFields({ paging, operation }: OperationModel): string {
  if (paging?.in !== 'body') return '';
  const inferred = [paging['x-inferred'] ?? []].flat();
  const field = (name: string, description: string): string => {
    const said = `${description} ${sourceText(operation['x-source'])}`;
    return `${tsdoc([said, ...inferred], '  ')}  ${propertyKey(name)}?: number;\n`;
  };
  return field(paging.limit, 'How many items a page has.') + field(paging.offset, 'How many items to skip.');
}

/** Whether a component is written as an interface, which another one can extend. */
export function isInterface(schema: Schema): boolean {
  const { bases, own } = inheritance(schema);
  return (
    own.type === 'object' && (own.properties !== undefined || bases.length > 0 || own.additionalProperties === true)
  );
}

function isOpenRecord(schema: Schema): boolean {
  return schema.type === 'object' && schema.additionalProperties === true;
}

/** The records that a body writes. */
function recordsOf({ 'x-record': record = [] }: Schema, spec: Spec): string[] {
  return [record].flat().filter((name) => {
    const schema = spec.document.components.schemas[name];
    if (schema && isOpenRecord(resolve(spec.document, schema))) return true;
    throw new Error(`${spec.file}: x-record names ${name}, which is not an open record`);
  });
}

/** The empty interface that a user augments with fields of an account's own. */
function ownFields(name: string, spec: Spec, isFilter: boolean): string {
  const example = `declare module 'carillon/${spec.name}' {\n  interface ${name}Fields {\n    my_field?: string;\n  }\n}`;
  const text = isFilter
    ? `Fields of \`${name}\`, of which the documents list none. Declare those that you use here once: request bodies and parameters of methods then have them.`
    : `Your account's own fields of \`${name}\`, which the documents do not list. Declare them here once: replies, request bodies and parameters of methods then have them.`;
  return `${tsdoc([
    text,
    { tag: 'example', text: `\`\`\`ts\n${example}\n\`\`\`` },
  ])}export interface ${name}Fields {}\n\n`;
}

/** `allOf` of components and at most one object of its own is inheritance: fields added to the base are inherited. */
function inheritance(schema: Schema): { bases: Schema[]; own: Schema } {
  const bases = schema.allOf?.filter((part) => part.$ref) ?? [];
  const [own = { type: 'object' }, ...more] = schema.allOf?.filter((part) => !part.$ref) ?? [];
  return bases.length > 0 && more.length === 0 ? { bases, own } : { bases: [], own: schema };
}

function constants(name: string, schema: Schema): string {
  const values = schema.enum ?? [];
  const rows = values.map((value, index) => {
    const key = schema['x-enum-varnames']?.[index] ?? pascalCase(String(value));
    const meaning = schema['x-enumDescriptions']?.[String(value)];
    return `${tsdoc([meaning], '  ')}  ${propertyKey(key)}: ${JSON.stringify(value)},\n`;
  });
  return `export const ${name} = {\n${rows.join('')}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];\n`;
}
