import { resolve, type SpecOperation } from '../../scripts/spec/model.ts';
import type { JsonValue, Schema } from '../../scripts/spec/schema.ts';
import type { Call } from './case-types.ts';
import { isObject } from './value.ts';

/** How a method is given the content of files: either is encoded. */
export type Content = 'bytes' | 'text';

/** A call as its method takes it: path, query and body fields together, and decoded what the wire carries encoded. */
export function flatParams(operation: SpecOperation, { path, query, body }: Call, content: Content): object {
  const { fields, schema } = bodyFields(operation, body);
  const decoded = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const property = schema.properties?.[name];
    return [name, property ? decode(resolve(operation.spec.document, property), value, content) : value];
  });
  return { ...path, ...query, ...Object.fromEntries(decoded) };
}

/** Whether the method takes parameters before its options. */
export function takesParams({ parameters, body }: SpecOperation): boolean {
  return parameters.length > 0 || body !== undefined;
}

/** Whether a call carries content that a method takes as bytes or as text. */
export function hasContent(operation: SpecOperation, call: Call): boolean {
  return Object.values(flatParams(operation, call, 'bytes')).some(
    (value) =>
      value instanceof Uint8Array || (isMap(value) && Object.values(value).some((part) => part instanceof Uint8Array)),
  );
}

/** The fields of a body, without the one key that the wire wraps them in. */
function bodyFields(operation: SpecOperation, body: JsonValue | undefined): { fields: object; schema: Schema } {
  if (!operation.body || !isObject(body)) return { fields: {}, schema: {} };
  const { document } = operation.spec;
  const schema = resolve(document, operation.body.schema);
  const sdk = operation.operation['x-sdk'];
  const wrap = typeof sdk === 'string' ? undefined : sdk.unwrapBody;
  const inner = wrap === undefined ? undefined : body[wrap];
  if (wrap === undefined || !isObject(inner)) return { fields: body, schema };
  return { fields: inner, schema: resolve(document, schema.properties?.[wrap] ?? {}) };
}

function decode(schema: Schema, value: JsonValue, content: Content): unknown {
  const { contentEncoding, contentMediaType = '', additionalProperties: values } = schema;
  if (typeof value === 'string' && contentEncoding === 'base64') {
    return decodeBase64(value, contentMediaType.startsWith('text/') ? 'text' : content);
  }
  if (typeof value === 'string' && contentMediaType === 'application/json') return JSON.parse(value);
  if (isObject(value) && typeof values === 'object' && values.contentEncoding === 'base64') {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, decode(values, part, content)]));
  }
  return value;
}

function decodeBase64(base64: string, content: Content): string | Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  // Bytes that are no text can be given as bytes only.
  if (content === 'text' && Buffer.from(bytes.toString('utf8')).equals(bytes)) return bytes.toString('utf8');
  return new Uint8Array(bytes);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
