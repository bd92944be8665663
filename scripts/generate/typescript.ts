import { type Encoding, encodingOf } from '../spec/encoding.ts';
import { resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { propertyKey } from './names.ts';
import { schemaDocs } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';

/** How to write a schema as a type. */
export interface TypeContext {
  spec: Spec;
  /** Prefix of the names of components: `Models.` outside the file that declares them. */
  prefix: string;
  /** Whether a field with `contentEncoding` or `contentMediaType` takes its decoded value, which the client encodes. */
  decoded?: boolean;
  /** Document and sections, which the comment of every member contains. */
  source?: string | undefined;
}

/** The type of a schema as TypeScript source. It refers to components by name. */
export function typeOf(schema: Schema, context: TypeContext, indent = ''): string {
  return unionOf(schema, context, indent).join(' | ');
}

/** The members of a schema's union type, without duplicates. Most schemas have one. */
function unionOf(schema: Schema, context: TypeContext, indent: string): string[] {
  const decoded = context.decoded && decodedUnion(resolve(context.spec.document, schema), context, indent);
  if (decoded) return decoded;
  if (schema.$ref) return [context.prefix + schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return unique(schema.enum.map((value) => JSON.stringify(value)));
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return unique(branches.flatMap((branch) => unionOf(branch, context, indent)));
  if (schema.allOf) return [schema.allOf.map((part) => operand(part, context, indent)).join(' & ')];
  if (schema.type === undefined) return ['unknown'];
  return unique([schema.type].flat().map((type) => ofType(type, schema, context, indent)));
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
      if (schema.maxItems === 0) return '[]';
      return `${schema.items ? operand(schema.items, { ...context, decoded: false }, indent) : 'unknown'}[]`;
    default:
      return objectType(schema, { ...context, decoded: false }, indent);
  }
}

function objectType(schema: Schema, context: TypeContext, indent: string): string {
  if (schema.properties) return `{\n${members(schema, context, `${indent}  `)}${indent}}`;
  const values = schema.additionalProperties;
  return `{ [name: string]: ${typeof values === 'object' ? typeOf(values, context, indent) : 'unknown'} }`;
}

/** The members of an object, each with its TSDoc. Open records have no index signature: a misspelt property must not compile. */
export function members(schema: Schema, context: TypeContext, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => member(name, property, schema.required?.includes(name) ?? false, context, indent))
    .join('');
}

export function member(name: string, schema: Schema, required: boolean, context: TypeContext, indent: string): string {
  const { document } = context.spec;
  const target = resolve(document, schema);
  const encoding = context.decoded ? encodingOf(target) : undefined;
  const { items, additionalProperties: values, contentSchema } = target;
  const docs = schemaDocs(schema, {
    target,
    source: context.source,
    ...(encoding && { encoding: encodingNote[encoding] }),
    ...(encoding === 'json' && { value: contentSchema ? resolve(document, contentSchema) : {} }),
    // The target of a reference has its own comment.
    ...(items && (items.$ref ? { listed: resolve(document, items) } : { items })),
    ...(typeof values === 'object' && !values.$ref && { values }),
  });
  return `${tsdoc(docs, indent)}${indent}${propertyKey(name)}${required ? '' : '?'}: ${typeOf(schema, context, indent)};\n`;
}

const encodingNote: Record<Encoding, string> = {
  base64: 'Pass the content itself, not Base64: the client encodes it.',
  base64Map: 'Pass each content as text or bytes, not as Base64: the client encodes it.',
  json: 'Pass the value itself, not a JSON string: the client encodes it as JSON.',
};

/** The type of the decoded value if the client encodes the schema, otherwise `undefined`. */
function decodedUnion(schema: Schema, context: TypeContext, indent: string): string[] | undefined {
  const given = decodedTypes(schema, { ...context, decoded: false }, indent);
  return given && [schema.type].flat().includes('null') ? unique([...given, 'null']) : given;
}

function decodedTypes(schema: Schema, context: TypeContext, indent: string): string[] | undefined {
  switch (encodingOf(schema)) {
    case 'base64':
      return schema.contentMediaType?.startsWith('text/') ? ['string'] : ['string', 'ArrayBuffer', 'Uint8Array'];
    case 'base64Map':
      return ['{ [name: string]: string | ArrayBuffer | Uint8Array }'];
    case 'json':
      return schema.contentSchema ? unionOf(schema.contentSchema, context, indent) : ['unknown'];
    default:
      return undefined;
  }
}

function unique(types: string[]): string[] {
  return [...new Set(types)];
}
