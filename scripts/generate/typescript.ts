import { type Encoding, encodingOf } from '../spec/encoding.ts';
import { resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { propertyKey } from './names.ts';
import { schemaLines, tsdoc } from './tsdoc.ts';

/** How a schema is written as a type. */
export interface TypeContext {
  spec: Spec;
  /** Put before the names of components: `Models.` outside the file that declares them. */
  prefix: string;
  /** Fields with `contentEncoding` or `contentMediaType` take decoded values; the client encodes them. */
  decoded?: boolean;
}

/** The type of a schema as TypeScript source; components are referred to by name. */
export function typeOf(schema: Schema, context: TypeContext, indent = ''): string {
  if (schema.$ref) return context.prefix + schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const decoded = context.decoded ? decodedType(schema, context, indent) : undefined;
  if (decoded) return decoded;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return union(branches.map((branch) => typeOf(branch, context, indent)));
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, context, indent)).join(' & ');
  if (schema.type === undefined) return 'unknown';
  return union([schema.type].flat().map((type) => ofType(type, schema, context, indent)));
}

function ofType(type: string, schema: Schema, context: TypeContext, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = schema.items ? typeOf(schema.items, context, indent) : 'unknown';
      return /[|&]/.test(item) && !item.endsWith('}') ? `(${item})[]` : `${item}[]`;
    }
    default:
      return objectType(schema, context, indent);
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
  const target = resolve(context.spec.document, schema);
  const encoding = context.decoded ? encodingOf(target) : undefined;
  const lines = [...schemaLines(schema, target), encoding && encodingNote[encoding]];
  return `${tsdoc(lines, indent)}${indent}${propertyKey(name)}${required ? '' : '?'}: ${typeOf(schema, context, indent)};\n`;
}

const encodingNote: Record<Encoding, string> = {
  base64: 'Given as text or bytes; the client encodes it in Base64.',
  base64Map: 'Given as text or bytes; the client encodes each in Base64.',
  json: 'Given as a value; the client encodes it as JSON.',
};

function decodedType(schema: Schema, context: TypeContext, indent: string): string | undefined {
  switch (encodingOf(schema)) {
    case 'base64':
      return schema.contentMediaType?.startsWith('text/') ? 'string' : 'string | Uint8Array';
    case 'base64Map':
      return '{ [name: string]: string | Uint8Array }';
    case 'json':
      return schema.contentSchema ? typeOf(schema.contentSchema, context, indent) : 'unknown';
    default:
      return undefined;
  }
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ');
}
