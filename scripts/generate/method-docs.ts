import { apiErrorClass } from '../../src/core/errors/api-error.ts';
import { literal } from '../docs/literal.ts';
import { listOperations, type Operation, resolve, type Spec } from '../spec/model.ts';
import { type Field, sdkOf } from '../spec/parameters.ts';
import type { JsonValue, Pagination, RateLimit } from '../spec/schema.ts';
import { openTexts, sourceText } from './schema-docs.ts';
import { type Block, tsdoc } from './tsdoc.ts';

/** What an editor shows of a method: meaning, quota, what is open, section, errors, and a call to copy. */
export function methodDocs(operation: Operation, fields: Field[], indent: string): string {
  const { operation: source } = operation;
  const quota = source['x-rate-limit'];
  const deprecated: Block = { tag: 'deprecated' };
  return tsdoc(
    [
      `${source.summary}. ${withMethods(operation.spec, source.description.trim())}`,
      quota && quotaText(quota),
      source['x-pagination'] && pagingText(source['x-pagination']),
      ...openTexts(source),
      `\`${operation.method} ${operation.base}${operation.path}\`. ${sourceText(source['x-source'])}`,
      ...errors(operation).map((text): Block => ({ tag: 'throws', text })),
      source.deprecated && deprecated,
      { tag: 'example', text: `\`\`\`ts\n${example(operation, fields)}\n\`\`\`` },
    ],
    indent,
  );
}

/** Descriptions name other operations by path; whoever calls methods wants the method. */
function withMethods(spec: Spec, text: string): string {
  const named = listOperations(spec).filter(({ key }) => text.includes(`\`${key}\``));
  return named.reduce(
    (all, other) => all.replaceAll(`\`${other.key}\``, `\`${sdkOf(other).method}\` (\`${other.key}\`)`),
    text,
  );
}

function quotaText({ requests, seconds, per }: RateLimit): string {
  const units: [number, string][] = [
    [3600, 'hours'],
    [60, 'minutes'],
    [1, 'seconds'],
  ];
  const [size, unit] = units.find(([size]) => seconds % size === 0 && seconds >= 2 * size) ?? [1, 'seconds'];
  return `Quota: ${requests} ${requests === 1 ? 'request' : 'requests'} in ${seconds / size} ${unit} per ${per}.`;
}

function pagingText({ limit, maximum, 'x-inferred': inferred }: Pagination): string {
  const known = [
    maximum !== undefined && `Without \`${limit}\`, pages of ${maximum} are asked for.`,
    inferred && `Goes on after the first page only where \`${limit}\` is given.`,
  ];
  return [...known.filter(Boolean), 'Offset paging can skip or repeat items while data changes.'].join(' ');
}

function errors({ spec, operation }: Operation): string[] {
  const { responses, 'x-errors': codes = {} } = operation;
  const statuses = Object.entries(responses).filter(([status]) => /^[45]\d\d$/.test(status));
  const known = [
    ...statuses.map(([status, response]) => {
      const { description } = resolve(spec.document, response);
      return `\`${apiErrorClass(Number(status)).name}\` (status ${status}): ${description}`;
    }),
    ...Object.entries(codes).map(([code, meaning]) => `\`ApiError\` with code \`${code}\`: ${meaning}`),
  ];
  return [...known, `\`ApiError\` for any ${known.length > 0 ? 'other ' : ''}failure that the service answers with`];
}

/** A call to copy; a list is read item by item. */
function example(operation: Operation, fields: Field[]): string {
  const call = callText(operation, fields);
  if (operation.operation['x-pagination'] === undefined) return `await ${call};`;
  return `for await (const item of ${call}) {\n  console.log(item);\n}`;
}

/** A call of the operation's method with the first example of the request. */
export function methodCall(operation: Operation, fields: Field[]): string {
  return `await ${callText(operation, fields)}`;
}

function callText(operation: Operation, fields: Field[]): string {
  const params = exampleParams(operation, fields);
  const given = Object.keys(params).length > 0 ? literal(params) : '';
  return `api.${operation.spec.name}.${sdkOf(operation).method}(${given})`;
}

/** The first example of the request as the method takes it: flat, and decoded. */
function exampleParams(operation: Operation, fields: Field[]): Record<string, JsonValue> {
  const params: Record<string, JsonValue> = {};
  for (const { name, in: place, required } of fields) {
    if (place === 'body' || (place === 'query' && !required)) continue;
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

function decode(value: JsonValue, encoding: Field['encoding']): JsonValue {
  if (encoding === 'json' && typeof value === 'string') return JSON.parse(value);
  if (encoding === 'base64' && typeof value === 'string') return text(value);
  if (encoding === 'base64Map' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, text(String(content))]));
  }
  return value;
}

/** Throws for Base64 of bytes that are no text: they cannot be shown. */
function text(base64: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
