import { type Encoding, encodingOf } from '../../spec/encoding.ts';
import { resolve, type Spec } from '../../spec/model.ts';
import type { Schema } from '../../spec/schema.ts';
import { needsField, oneOfFields } from '../model/at-least-one.ts';
import { propertyKey } from './names.ts';
import { schemaDocs } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';

/** Options for writing a schema as a type. */
export interface TypeContext {
  spec: Spec;
  /** Prefix of component names: `Models.` outside the file that declares them. */
  prefix: string;
  /** Whether a field with `contentEncoding` or `contentMediaType` takes its decoded value, which the client encodes. */
  decoded?: boolean;
  /**
   * Components that only requests contain. In these, optional fields accept `undefined` and lists may be read-only.
   * `undefined` for responses.
   */
  request?: ReadonlySet<string> | undefined;
}

/** The TypeScript type of a schema. Refers to components by name. */
export function typeOf(schema: Schema, context: TypeContext, indent = ''): string {
  return unionOf(schema, context, indent).join(' | ');
}

/** The members of a schema's union type, without duplicates. Most schemas have a single member. */
function unionOf(schema: Schema, context: TypeContext, indent: string): string[] {
  const decoded = context.decoded && decodedUnion(resolve(context.spec.openapi, schema), context, indent);
  if (decoded) return decoded;
  if (schema.$ref) return [referenceTo(schema.$ref, context)];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return unique(schema.enum.map((value) => JSON.stringify(value)));
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return unique(branches.flatMap((branch) => unionOf(branch, context, indent)));
  if (schema.allOf) return [schema.allOf.map((part) => operand(part, context, indent)).join(' & ')];
  if (schema.type === undefined) return ['unknown'];
  return unique([schema.type].flat().map((type) => ofType(type, schema, context, indent)));
}

/** A list shared with responses is not declared read-only, so requests add `Readonly` here. */
function referenceTo(reference: string, { spec, prefix, request }: TypeContext): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const isShared = request !== undefined && !request.has(name);
  const isList = resolve<Schema>(spec.openapi, { $ref: reference }).type === 'array';
  return isShared && isList ? `Readonly<${prefix}${name}>` : `${prefix}${name}`;
}

/** A type for use with `&` or `[]`, in parentheses if it needs them. */
function operand(schema: Schema, context: TypeContext, indent: string): string {
  const union = unionOf(schema, context, indent);
  const isOne = union.length === 1 && (schema.$ref !== undefined || schema.allOf === undefined);
  return isOne ? union.join() : `(${union.join(' | ')})`;
}

function ofType(type: string, schema: Schema, context: TypeContext, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return schema.minimum !== undefined && schema.minimum === schema.maximum ? `${schema.minimum}` : 'number';
    case 'array':
      return listType(schema, context, indent);
    default:
      return objectType(schema, { ...context, decoded: false }, indent);
  }
}

function listType(schema: Schema, context: TypeContext, indent: string): string {
  const readonly = context.request ? 'readonly ' : '';
  if (schema.maxItems === 0) return `${readonly}[]`;
  if (!schema.items) return `${readonly}unknown[]`;
  const item = operand(schema.items, { ...context, decoded: false }, indent);
  return `${readonly}${item.startsWith('readonly ') ? `(${item})` : item}[]`;
}

function objectType(schema: Schema, context: TypeContext, indent: string): string {
  if (schema.properties) {
    const object = `{\n${members(schema, context, `${indent}  `)}${indent}}`;
    if (!context.request || !needsField(schema)) return object;
    return `(${object} & ${oneOfFields(schema, (field) => typeOf(field, context, indent))})`;
  }
  const values = schema.additionalProperties;
  return `{ [name: string]: ${typeof values === 'object' ? typeOf(values, context, indent) : 'unknown'} }`;
}

/** An interface with members in lines of their own. */
export function interfaceText(name: string, bases: string[], lines = ''): string {
  const clause = bases.length > 0 ? ` extends ${bases.join(', ')}` : '';
  return `interface ${name}${clause} {${lines && `\n${lines}`}}\n`;
}

/**
 * The members of an object with their TSDoc. Open records have no index signature, so that misspelt properties do not
 * compile.
 */
export function members(schema: Schema, context: TypeContext, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => member(name, property, schema.required?.includes(name) ?? false, context, indent))
    .join('');
}

export function member(name: string, schema: Schema, required: boolean, context: TypeContext, indent: string): string {
  const { openapi } = context.spec;
  const target = resolve(openapi, schema);
  const encoding = context.decoded ? encodingOf(target) : undefined;
  const { items, anyOf = [], additionalProperties: values, contentSchema } = target;
  const reference = [items, ...anyOf].find((part) => part?.$ref);
  const docs = schemaDocs(schema, {
    target,
    ...(encoding && { encoding: encodingNote[encoding] }),
    ...(encoding === 'json' && { value: contentSchema ? resolve(openapi, contentSchema) : {} }),
    // A reference's target has its own comment.
    ...(items && !items.$ref && { items }),
    ...(reference && { inner: { reference, target: resolve(openapi, reference) } }),
    ...(typeof values === 'object' && !values.$ref && { values }),
  });
  const type = typeOf(schema, context, indent);
  return `${tsdoc(docs, indent)}${indent}${propertyKey(name)}${optional(required, type, context)};\n`;
}

function optional(required: boolean, type: string, { request }: TypeContext): string {
  if (required) return `: ${type}`;
  return request && type !== 'unknown' ? `?: ${type} | undefined` : `?: ${type}`;
}

const encodingNote: Record<Encoding, string> = {
  base64Text: 'Pass the text itself. The client encodes it.',
  base64: 'Pass bytes, a `Blob` or a `File`. The client encodes the content.',
  base64Map: 'Pass each content as bytes, a `Blob` or a `File`. The client encodes the contents.',
  json: 'Pass the value itself, not a JSON string. The client encodes it as JSON.',
};

/** The type of the decoded value if the client encodes the schema. Otherwise `undefined`. */
function decodedUnion(schema: Schema, context: TypeContext, indent: string): string[] | undefined {
  const given = decodedTypes(schema, { ...context, decoded: false }, indent);
  return given && [schema.type].flat().includes('null') ? unique([...given, 'null']) : given;
}

function decodedTypes(schema: Schema, context: TypeContext, indent: string): string[] | undefined {
  switch (encodingOf(schema)) {
    case 'base64Text':
      return ['string'];
    case 'base64':
      return ['FileContent'];
    case 'base64Map':
      return ['{ readonly [name: string]: FileContent }'];
    case 'json':
      return schema.contentSchema ? unionOf(schema.contentSchema, context, indent) : ['unknown'];
    default:
      return undefined;
  }
}

function unique(types: string[]): string[] {
  return [...new Set(types)];
}
