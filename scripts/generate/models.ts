import { encodingOf } from '../spec/encoding.ts';
import { resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { pascalCase, propertyKey } from './names.ts';
import type { SpecModel } from './operation-model.ts';
import { schemaDocs } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';
import { members, type TypeContext, typeOf } from './typescript.ts';

/**
 * `models.ts`: every component schema under its own name. Objects are interfaces. An open record extends an empty
 * interface for a user's own fields, which the bodies that write the record extend too (`x-record`). Enums with named
 * values are constants as well as types.
 */
export function generateModels({ spec, operations }: SpecModel): string {
  const openBodies = new Set(operations.filter((each) => each.hasOpenBody).map(({ body }) => body?.schema.$ref));
  const encoded = new Set(
    operations.filter(({ fields }) => fields.some(({ encoding }) => encoding)).map((each) => each.bodyModel),
  );
  const models = Object.entries(spec.document.components.schemas).map(([name, schema]) =>
    model(name, schema, spec, {
      isOpenBody: openBodies.has(`#/components/schemas/${name}`),
      isEncodedBody: encoded.has(name),
    }),
  );
  return `${header(`spec/${spec.name}.yaml`)}\n${models.join('\n')}`;
}

interface Use {
  /** It is a whole body whose fields nobody documented. */
  isOpenBody: boolean;
  /** It is a body with fields that a method takes decoded. */
  isEncodedBody: boolean;
}

function model(name: string, schema: Schema, spec: Spec, { isOpenBody, isEncodedBody }: Use): string {
  const context: TypeContext = { spec, prefix: '', source: schema['x-source'] };
  const comment = tsdoc(schemaDocs(schema, { source: context.source }));
  if (schema.enum && schema['x-enum-varnames']) return comment + constants(name, schema);
  // An open body takes any field, so it alone keeps its index signature.
  if (isOpenBody || !isInterface(schema)) return `${comment}export type ${name} = ${typeOf(schema, context)};\n`;
  if (isEncodedBody) return encodedBody(name, schema, comment, context);
  const { bases, own } = inheritance(schema);
  const isRecord = isOpenRecord(schema);
  const heritage = [
    ...bases.map((base) => typeOf(base, context)),
    ...(isRecord ? [`${name}Fields`] : []),
    ...[schema['x-record'] ?? []].flat().map((record) => `${record}Fields`),
  ];
  const clause = heritage.length > 0 ? ` extends ${heritage.join(', ')}` : '';
  const text = `${comment}export interface ${name}${clause} {${own.properties ? `\n${members(own, context, '  ')}` : ''}}\n`;
  return isRecord ? ownFields(name, spec) + text : text;
}

/** Whether a component is written as an interface, which another one can extend. */
export function isInterface(schema: Schema): boolean {
  const { bases, own } = inheritance(schema);
  return (
    own.type === 'object' && (own.properties !== undefined || bases.length > 0 || own.additionalProperties === true)
  );
}

/** The interface of the fields that are the same for methods, which take some fields decoded, and on the wire. */
export function commonName(name: string): string {
  return `${name}Common`;
}

function encodedBody(name: string, schema: Schema, comment: string, context: TypeContext): string {
  const { properties = {} } = schema;
  const isEncoded = ([, property]: [string, Schema]): boolean =>
    encodingOf(resolve(context.spec.document, property)) !== undefined;
  const part = (entries: [string, Schema][]): string =>
    members({ ...schema, properties: Object.fromEntries(entries) }, context, '  ');
  const entries = Object.entries(properties);
  const about = `Fields of \`${name}\` that calls by method and by path share.`;
  return `${tsdoc([about])}export interface ${commonName(name)} {\n${part(entries.filter((entry) => !isEncoded(entry)))}}

${comment}export interface ${name} extends ${commonName(name)} {\n${part(entries.filter(isEncoded))}}\n`;
}

function isOpenRecord(schema: Schema): boolean {
  return schema.type === 'object' && schema.additionalProperties === true;
}

/** The empty interface that a user augments with fields of an account's own. */
function ownFields(name: string, spec: Spec): string {
  const example = `declare module 'carillon/${spec.name}' {\n  interface ${name}Fields {\n    my_field?: string;\n  }\n}`;
  return `${tsdoc([
    `Your account's own fields of \`${name}\`, which the documents do not list. Declare them here once: replies, request bodies and parameters of methods then have them.`,
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
