import { encodingOf } from '../../spec/encoding.ts';
import { gapTexts } from '../../spec/gap-texts.ts';
import { resolve, type Spec } from '../../spec/model.ts';
import type { Schema } from '../../spec/schema.ts';
import { needsField, oneOfFields } from '../model/at-least-one.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { pascalCase, propertyKey } from '../typescript/names.ts';
import { schemaDocs } from '../typescript/schema-docs.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import { interfaceText, members, type TypeContext, typeOf } from '../typescript/type-text.ts';
import { isOpenRecord, openFields, openRecord, ownFields } from './open-record.ts';
import { variantFields, variantsName, variantTypes } from './variants.ts';

/**
 * `models.ts`: every component schema under its own name. Objects are interfaces. An open record extends an interface to
 * which users add their own fields; the bodies that write the record take these too (`x-record`). Enums with named values
 * are constants and types.
 */
export function generateModels({ spec, operations, requestComponents }: SpecModel): string {
  const filters = operations.filter((each) => each.hasOpenBody);
  const encoded = new Set(
    operations.filter(({ fields }) => fields.some(({ encoding }) => encoding)).map((each) => each.bodyModel),
  );
  const schemas = Object.entries(spec.openapi.components.schemas);
  const written = new Set(schemas.flatMap(([, schema]) => writtenRecords(schema)));
  const models = schemas.map(([name, schema]) => {
    const filter = filters.find((each) => each.bodyModel === name);
    return model(name, schema, spec, {
      paging: filter ? pagingFields(filter) : '',
      isEncodedBody: encoded.has(name),
      isWritten: written.has(name),
      request: requestComponents.has(name) ? requestComponents : undefined,
    });
  });
  return `${header(`spec/${spec.name}.yaml`)}\n${models.join('\n')}`;
}

interface Use {
  /** Paging fields of the list, if the body is an open filter. */
  paging: string;
  /** Whether the component is a body with fields that a method takes decoded. */
  isEncodedBody: boolean;
  /** Whether the component is a record that bodies write. */
  isWritten: boolean;
  /** All components that only requests contain, if the component is one of them. */
  request: ReadonlySet<string> | undefined;
}

function model(name: string, schema: Schema, spec: Spec, { isEncodedBody, request, ...use }: Use): string {
  const context: TypeContext = { spec, prefix: '', ...(request && { request }) };
  const comment = tsdoc(schemaDocs(schema, { source: schema['x-source'] }));
  if (schema.enum && schema['x-enum-varnames']) return comment + constants(name, schema);
  if (!isInterface(schema)) return `${comment}export type ${name} = ${typeOf(schema, context)};\n`;
  if (isEncodedBody || schema['x-variants']) return dividedBody(name, schema, comment, context);
  if (request && needsField(schema)) return withField(name, schema, comment, context);
  const { bases: parts, own } = inheritance(schema);
  const bases = [...parts.map((part) => typeOf(part, context)), ...writtenFields(schema)];
  if (isOpenRecord(schema) || openFields(own, context).length > 0)
    return openRecord({ ...use, name, schema: own, context, comment, bases });
  return `${comment}export ${interfaceText(name, bases, members(own, context, '  '))}`;
}

/** An open filter does not declare the paging fields of its list, because the paging type does. */
export function pagingFields({ paging }: OperationModel): string {
  if (paging?.in !== 'body') return '';
  const inferred = gapTexts(paging['x-inferred']).map(({ text }) => text);
  const field = (name: string, description: string): string =>
    `${tsdoc([description, ...inferred], '  ')}  ${propertyKey(name)}?: number | undefined;\n`;
  return field(paging.limit, 'Number of items per page.') + field(paging.offset, 'Number of items to skip.');
}

/** Whether a component becomes an interface, which other interfaces can extend. */
export function isInterface(schema: Schema): boolean {
  const { bases, own } = inheritance(schema);
  return (
    own.type === 'object' && (own.properties !== undefined || bases.length > 0 || own.additionalProperties === true)
  );
}

/** The names of the records that a body writes. */
function writtenRecords(schema: Schema): string[] {
  return [schema['x-record'] ?? []].flat();
}

/** The types of users' own fields, of the records that a body writes. */
function writtenFields(schema: Schema): string[] {
  return writtenRecords(schema).map(ownFields);
}

/** The interface of the fields common to all variants. It is the same for methods and on the wire. */
export function commonName(name: string): string {
  return `${name}Common`;
}

/** A body with variants, or with encoded fields that methods take decoded. */
function dividedBody(name: string, schema: Schema, comment: string, context: TypeContext): string {
  const { properties = {}, 'x-variants': variants } = schema;
  const varying = variantFields(schema);
  const isEncoded = ([, property]: [string, Schema]): boolean =>
    encodingOf(resolve(context.spec.openapi, property)) !== undefined;
  const part = (entries: [string, Schema][]): string =>
    members({ ...schema, properties: Object.fromEntries(entries) }, context, '  ');
  const entries = Object.entries(properties).filter(([field]) => !varying.includes(field));
  const common = commonName(name);
  const text = `${tsdoc([`Fields of \`${name}\` that are common to ${variants ? 'all its variants' : 'calls by method and by path'}.`])}export ${interfaceText(common, writtenFields(schema), part(entries.filter((entry) => !isEncoded(entry))))}\n`;
  const encoded = part(entries.filter(isEncoded));
  if (!variants) return `${text}${comment}export ${interfaceText(name, [common], encoded)}`;
  const parts = [common, ...(encoded ? [`{\n${encoded}}`] : []), variantsName(name, schema)];
  return `${text}${variantTypes(name, schema, context)}\n${comment}export type ${name} = ${parts.join(' & ')};\n`;
}

/** A request record that needs at least one of its fields. */
function withField(name: string, schema: Schema, comment: string, context: TypeContext): string {
  const common = commonName(name);
  const fields = `${tsdoc([`Fields of \`${name}\`. At least one of them is required.`])}export ${interfaceText(common, writtenFields(schema), members(schema, context, '  '))}\n`;
  return `${fields}${comment}export type ${name} = ${common} & ${oneOfFields(schema, (field) => typeOf(field, context))};\n`;
}

/**
 * An `allOf` of components and at most one inline object becomes inheritance, so that fields added to the base are
 * inherited.
 */
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
