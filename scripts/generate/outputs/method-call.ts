import { resolve, type SpecOperation } from '../../spec/model.ts';
import { type Field, sdkOf } from '../../spec/parameters.ts';
import type { JsonValue } from '../../spec/schema.ts';
import { withConstants } from '../typescript/constants.ts';
import { Constant, type Literal, literal } from '../typescript/literal.ts';

/** Maximum width of a line of a sample, unless a single value is longer. */
export const lineWidth = 80;

interface CallOptions {
  /** Text before the call on its line. */
  before?: string;
  /** Whether enum values are constants (`Crm.DealStatus.Fail`) or plain values. Default: constants. */
  constants?: boolean;
}

/** A call of the operation's method with the first example of the request, awaited. */
export function methodCall(operation: SpecOperation, fields: Field[], options: CallOptions = {}): string {
  return callAfter(`${options.before ?? ''}await `, operation, fields, options);
}

/** A loop over the items that the operation lists. */
export function readList(operation: SpecOperation, fields: Field[], options: CallOptions = {}): string {
  return `${callAfter('for await (const item of ', operation, fields, options)}) {\n  console.log(item);\n}`;
}

function callAfter(
  before: string,
  operation: SpecOperation,
  fields: Field[],
  { constants = true }: CallOptions = {},
): string {
  const begin = `${before}api.${operation.spec.name}.${sdkOf(operation).method}(`;
  const plain = exampleParams(operation, fields);
  const params = withBytes(fields, constants ? namedParams(operation, fields, plain) : plain);
  const room = lineWidth - begin.length - ');'.length;
  return `${begin}${Object.keys(params).length > 0 ? literal(params, '', room) : ''})`;
}

/** The request's first example in the form that the method takes: flat and decoded. */
export function exampleParams(operation: SpecOperation, fields: Field[]): Record<string, JsonValue> {
  const params: Record<string, JsonValue> = {};
  const paging = operation.operation['x-pagination'];
  for (const { name, in: place } of fields) {
    // The list requests further pages automatically.
    if (place === 'body' || name === paging?.limit || name === paging?.offset) continue;
    params[name] = operation.parameters.find((parameter) => parameter.name === name)?.example ?? null;
  }
  const { unwrapBody } = sdkOf(operation);
  const body = Object.values(operation.body?.examples ?? {})[0]?.value;
  const sent = unwrapBody && isObject(body) ? body[unwrapBody] : body;
  for (const [name, value] of Object.entries(isObject(sent) ? sent : {})) {
    params[name] = decode(value, fields.find((field) => field.name === name)?.encoding);
  }
  return params;
}

/** Replaces enum values with their constants. */
function namedParams(
  { spec }: SpecOperation,
  fields: Field[],
  params: Record<string, JsonValue>,
): Record<string, Literal> {
  const named = Object.entries(params).map(([name, value]): [string, Literal] => {
    const field = fields.find((field) => field.name === name);
    const schema = field && resolve(spec.openapi, field.schema);
    return [name, withConstants(spec, field?.encoding === 'json' ? schema?.contentSchema : field?.schema, value)];
  });
  return Object.fromEntries(named);
}

/** Replaces the contents of files with bytes. */
function withBytes(fields: Field[], params: Record<string, Literal>): Record<string, Literal> {
  const entries = Object.entries(params).map(([name, value]): [string, Literal] => {
    const encoding = fields.find((field) => field.name === name)?.encoding;
    if (encoding === 'base64') return [name, bytes(value)];
    if (encoding !== 'base64Map') return [name, value];
    return [name, Object.fromEntries(Object.entries(value ?? {}).map(([file, content]) => [file, bytes(content)]))];
  });
  return Object.fromEntries(entries);
}

function bytes(content: unknown): Constant {
  return new Constant(`new TextEncoder().encode(${literal(String(content))})`);
}

function decode(value: JsonValue, encoding: Field['encoding']): JsonValue {
  if (encoding === 'json' && typeof value === 'string') return JSON.parse(value);
  if ((encoding === 'base64' || encoding === 'base64Text') && typeof value === 'string') return text(value);
  if (encoding === 'base64Map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, text(String(content))]));
  }
  return value;
}

/** Decodes Base64 as text. Throws for other bytes, because a sample cannot show them. */
function text(base64: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
