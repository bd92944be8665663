import { queryStyle } from '../spec/parameters.ts';
import type { PeopleEntry } from '../spec/people.ts';
import type { Rule, Schema } from '../spec/schema.ts';
import { validationKeywords } from '../spec/validation-keywords.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';

/**
 * `report.txt`: every operation, parameter, field, limit, enum value, status and source of a spec on its own line,
 * sorted, so that reviews show a change of the wire format as a few lines. So are the meanings of error codes, enum values, rules and
 * limits, which change what a program should do. Other descriptions and examples are deliberately omitted.
 */
export function generateReport({ spec: { document }, operations }: SpecModel): string {
  const lines = [
    `info version ${document.info.version}`,
    ...(document.info['x-rules'] ?? []).flatMap((rule) => reportRule(rule).map((line) => `info ${line}`)),
    ...operations.flatMap(reportOperation),
    ...Object.entries(document.components.schemas).flatMap(([name, schema]) => [
      `schema ${name} source ${schema['x-source']}`,
      ...reportSchema(`schema ${name}`, schema),
    ]),
    ...Object.entries(document.components.responses ?? {}).flatMap(([name, response]) =>
      reportContent(`response ${name}`, response.content),
    ),
  ];
  return `${[...new Set(lines)].sort(byCodePoint).join('\n')}\n`;
}

function reportRule({ id, source, text, values = {} }: Rule): string[] {
  const told = Object.entries(values).map(([name, value]) => ` ${name}=${value}`);
  return [`rule ${id} (${source})${told.join('')}`, meaning(`rule ${id}`, text)];
}

function meaning(subject: string, text: string): string {
  return `meaning of ${subject}: ${JSON.stringify(text.replace(/\s+/g, ' ').trim())}`;
}

function reportOperation(operation: OperationModel): string[] {
  const { operationId: id, operation: source, envelope, paging, quota: limit, place, wrap, whole } = operation;
  const subject = `operation ${id}`;
  return [
    `${subject}: ${operation.method} ${operation.base}${operation.path}${source.deprecated ? ' deprecated' : ''}`,
    `${subject} method ${place}${wrap ? ` unwrapBody=${wrap}` : ''}${whole ? ` nameBody=${whole}` : ''}`,
    `${subject} payload ${!envelope.payload ? 'none' : ['body', ...envelope.keys].join('.')}${envelope.inferredList ? ' inferred list' : ''}`,
    `${subject} effect ${source['x-effect']}`,
    ...(source['x-undo'] ? [`${subject} undo ${source['x-undo']}`] : []),
    ...(source['x-shown-by'] ? [`${subject} shown by ${source['x-shown-by']}`] : []),
    ...(source['x-people'] ? [`${subject} people ${source['x-people'].map(reportPeople).join(', ')}`] : []),
    ...(source['x-opt-outs'] ? [`${subject} opt-outs ${words(source['x-opt-outs'], ['operation', 'field'])}`] : []),
    ...(source['x-sends-if'] ? [`${subject} sends if ${JSON.stringify(source['x-sends-if'])}`] : []),
    ...(source['x-test-mode'] ? [`${subject} test mode ${source['x-test-mode']}`] : []),
    `${subject} source ${source['x-source']}`,
    ...(source.security ? [`${subject} security ${JSON.stringify(source.security)}`] : []),
    ...(paging ? [`${subject} pages ${words(paging, ['in', 'limit', 'offset', 'maximum'])}`] : []),
    ...(limit ? [`${subject} rate limit ${words(limit, ['requests', 'seconds', 'per'])}`] : []),
    ...(source['x-rules'] ?? []).flatMap((rule) => reportRule(rule).map((line) => `${subject} ${line}`)),
    ...Object.entries(source['x-errors'] ?? {}).flatMap(([code, { rule, meaning: text }]) => [
      `${subject} error ${code} -> ${rule}`,
      `${subject} ${meaning(`error ${code}`, text)}`,
    ]),
    ...operation.parameters.flatMap((parameter) => {
      const { in: place, name, schema, required, deprecated = schema.deprecated } = parameter;
      const style = queryStyle(operation, parameter);
      return [
        ...reportSchema(`${subject} ${place}.${name}`, { ...schema, ...(deprecated && { deprecated }) }, required),
        ...(style ? [`${subject} style ${name} ${style}`] : []),
      ];
    }),
    ...(operation.body ? reportSchema(`${subject} body`, operation.body.schema, operation.body.required) : []),
    ...Object.entries(source.responses).flatMap(([status, response]) => [
      `${subject} status ${status}${response.$ref ? ` -> ${shortReference(response.$ref)}` : ''}`,
      ...reportContent(`${subject} reply ${status}`, response.content),
    ]),
  ];
}

/** `recipients`, or `website_id (subscribers of the website, counted by countWebsiteSubscribers id -> total)` */
function reportPeople(entry: PeopleEntry): string {
  if (typeof entry === 'string') return entry;
  const { field, who, count } = entry;
  const how = count === 'none' ? 'not counted' : `counted by ${count.operation} ${count.parameter} -> ${count.result}`;
  return `${field} (${who}, ${how})`;
}

function reportContent(subject: string, content: Record<string, { schema: Schema }> | undefined): string[] {
  return Object.entries(content ?? {}).flatMap(([type, media]) => reportSchema(`${subject} ${type}`, media.schema));
}

/** Keywords that appear on their schema's line. */
export const reportedKeywords = [
  ...validationKeywords,
  'const',
  'default',
  'contentEncoding',
  'contentMediaType',
  'dependentRequired',
] as const satisfies (keyof Schema)[];

function reportSchema(subject: string, schema: Schema, required = false): string[] {
  const type = schema.$ref ? `-> ${shortReference(schema.$ref)}` : [schema.type ?? 'any'].flat().join('|');
  const open = schema.additionalProperties === true || schema['x-open'] !== undefined;
  const facts = [
    ...(required ? ['required'] : []),
    ...(open ? ['open'] : []),
    ...(schema.deprecated ? ['deprecated'] : []),
    ...words(schema, reportedKeywords).split(' ').filter(Boolean),
  ];
  return [
    [`${subject}: ${type}`, ...facts].join(' '),
    ...(schema.enum ?? []).map((value) => `${subject} enum ${JSON.stringify(value)}`),
    ...meanings(schema).map((line) => `${subject} ${line}`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      reportSchema(`${subject}.${name}`, property, schema.required?.includes(name)),
    ),
    ...conditions(subject, schema),
    ...variants(subject, schema),
    ...(schema.items ? reportSchema(`${subject}[]`, schema.items) : []),
    ...(typeof schema.additionalProperties === 'object'
      ? reportSchema(`${subject}{}`, schema.additionalProperties)
      : []),
    ...(schema.contentSchema ? reportSchema(`${subject}<content>`, schema.contentSchema) : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((keyword) =>
      (schema[keyword] ?? []).flatMap((branch, index) => reportSchema(`${subject}(${keyword} ${index + 1})`, branch)),
    ),
  ];
}

/** Meanings of the values of an enum, and of limits: a description says what they count. */
function meanings(schema: Schema): string[] {
  const { description = '', 'x-enumDescriptions': texts = {} } = schema;
  const isLimited = validationKeywords.some((keyword) => schema[keyword] !== undefined);
  return [
    ...(schema.enum ?? []).flatMap((value) => {
      const text = texts[String(value)];
      return text === undefined ? [] : [meaning(JSON.stringify(value), text)];
    }),
    ...(isLimited ? [meaning('limits', description)] : []),
  ];
}

function conditions(subject: string, schema: Schema): string[] {
  return (['if', 'then', 'else', 'not'] as const).flatMap((keyword) =>
    schema[keyword] ? [`${subject} ${keyword} ${JSON.stringify(schema[keyword])}`] : [],
  );
}

function variants(subject: string, { 'x-variants': given }: Schema): string[] {
  return Object.entries(given?.variants ?? {}).map(([name, { description: _, ...form }]) => {
    return `${subject} variant ${name} ${JSON.stringify(form)}`;
  });
}

function words(source: object, keys: readonly string[]): string {
  return keys
    .filter((key) => Object.hasOwn(source, key))
    .map((key) => `${key}=${JSON.stringify(Reflect.get(source, key))}`)
    .join(' ');
}

function shortReference(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function byCodePoint(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
