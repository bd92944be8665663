import type { Operation } from '../spec/model.ts';
import { type Field, sdkOf } from '../spec/parameters.ts';
import type { JsonValue, Mark } from '../spec/schema.ts';
import { propertyKey } from './names.ts';
import { tsdoc } from './tsdoc.ts';

/** What an editor shows of a method: meaning, quota, errors, sources, what is open, and a call to copy. */
export function methodDocs(operation: Operation, fields: Field[], indent: string): string {
  const { operation: source } = operation;
  const quota = source['x-rate-limit'];
  return tsdoc(
    [
      `${source.summary}. ${source.description.trim()}`,
      quota && `Quota: ${quota.requests} in ${quota.seconds} seconds, per ${quota.per}.`,
      source['x-pagination'] && 'Offset paging can skip or repeat items while data changes.',
      ...texts(source['x-open']).map((text) => `Not documented: ${text}`),
      `\`${operation.method} ${operation.base}${operation.path}\`, Document ${source['x-source']}.`,
      ...errors(operation).map((text) => `@throws \`ApiError\` ${text}`),
      source.deprecated && '@deprecated',
      example(operation, fields),
    ],
    indent,
  );
}

function errors(operation: Operation): string[] {
  const { responses, 'x-errors': codes = {} } = operation.operation;
  const statuses = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
  return [
    ...statuses.map(
      ([status, response]) => `with status ${status}${response.description ? `: ${response.description}` : ''}`,
    ),
    ...Object.entries(codes).map(([code, meaning]) => `with code '${code}': ${meaning}`),
  ];
}

function texts(mark: Mark | undefined): string[] {
  return mark === undefined ? [] : [mark].flat();
}

/** A call with the first example of the request. */
function example(operation: Operation, fields: Field[]): string {
  const { method, unwrapBody } = sdkOf(operation);
  const values: [string, string][] = [];
  for (const field of fields) {
    if (field.in !== 'path') continue;
    const parameter = operation.parameters.find(({ name }) => name === field.name);
    values.push([field.name, JSON.stringify(parameter?.example ?? null)]);
  }
  const body = Object.values(operation.body?.examples ?? {})[0]?.value;
  const sent = unwrapBody ? at(body, unwrapBody) : body;
  if (isObject(sent)) {
    for (const [name, value] of Object.entries(sent)) {
      values.push([name, decoded(value, fields.find((field) => field.name === name)?.encoding)]);
    }
  }
  const params = values.map(([name, value]) => `${propertyKey(name)}: ${value}`).join(', ');
  const call = `api.${operation.spec.name}.${method}(${params && `{ ${params} }`})`;
  return ['@example', '```ts', `await ${call};`, '```'].join('\n').replaceAll('*/', '*\\/');
}

function decoded(value: JsonValue, encoding: Field['encoding']): string {
  if (encoding === 'json' && typeof value === 'string') return JSON.stringify(JSON.parse(value));
  if (encoding === 'base64' && typeof value === 'string') return JSON.stringify(text(value));
  if (encoding === 'base64Map' && isObject(value)) {
    const files = Object.entries(value).map(([name, content]) => [name, text(String(content))]);
    return JSON.stringify(Object.fromEntries(files));
  }
  return JSON.stringify(value);
}

function text(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

function at(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) ? value[key] : undefined;
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
