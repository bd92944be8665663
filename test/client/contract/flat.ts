import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, Schema } from '../../../scripts/spec/schema.ts';
import { isObject } from '../../support/json-value.ts';
import type { Call } from './case-types.ts';

/** Form of file contents: bytes in memory, a `Blob`, or a placeholder in source text. */
export type Content = 'bytes' | 'blob' | 'source';

/** Placeholder for file contents in a program that is still JSON. */
export const contentInSource = 'bytes of a file';

/** A call as its method takes it: path, query and body fields in one object, with decoded values. */
export function flatParams(operation: SpecOperation, { path, query, body }: Call, content: Content): object {
  const { fields, schema } = bodyFields(operation, body);
  const decoded = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const property = schema.properties?.[name];
    return [name, property ? decode(resolve(operation.spec.openapi, property), value, content) : value];
  });
  return { ...path, ...query, ...Object.fromEntries(decoded) };
}

/** Whether the method takes parameters before its options. */
export function takesParams({ parameters, body }: SpecOperation): boolean {
  return parameters.length > 0 || body !== undefined;
}

/** Whether a call carries contents that a method takes as bytes. */
export function hasContent(operation: SpecOperation, call: Call): boolean {
  return Object.values(flatParams(operation, call, 'bytes')).some(
    (value) =>
      value instanceof Uint8Array || (isMap(value) && Object.values(value).some((part) => part instanceof Uint8Array)),
  );
}

/** The fields of a body, without the key that wraps them on the wire. */
function bodyFields(operation: SpecOperation, body: JsonValue | undefined): { fields: object; schema: Schema } {
  if (!operation.body || !isObject(body)) return { fields: {}, schema: {} };
  const { openapi } = operation.spec;
  const schema = resolve(openapi, operation.body.schema);
  const sdk = operation.operation['x-sdk'];
  const wrap = typeof sdk === 'string' ? undefined : sdk.unwrapBody;
  const inner = wrap === undefined ? undefined : body[wrap];
  if (wrap === undefined || !isObject(inner)) return { fields: body, schema };
  return { fields: inner, schema: resolve(openapi, schema.properties?.[wrap] ?? {}) };
}

function decode(schema: Schema, value: JsonValue, content: Content): unknown {
  const { contentEncoding, contentMediaType = '', additionalProperties: values } = schema;
  if (typeof value === 'string' && contentEncoding === 'base64') {
    const bytes = new Uint8Array(Buffer.from(value, 'base64'));
    return contentMediaType.startsWith('text/') ? new TextDecoder().decode(bytes) : contentOf(bytes, content);
  }
  if (typeof value === 'string' && contentMediaType === 'application/json') return JSON.parse(value);
  if (isObject(value) && typeof values === 'object' && values.contentEncoding === 'base64') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decode(values, part, content)]));
  }
  return value;
}

function contentOf(bytes: Uint8Array<ArrayBuffer>, content: Content): Uint8Array | Blob | string {
  if (content === 'source') return contentInSource;
  return content === 'blob' ? new Blob([bytes]) : bytes;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
