import { type core, int, looseObject, type ZodType } from 'zod';
import { validators as ofProducts } from '../../../generated/zod.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { brokenInferredLimit, schemaAt } from '../../shared/inferred-limits.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { OperationValidators } from '../../shared/operation-validators.ts';
import type { JsonSchema } from '../../shared/reference.ts';
import type { Params } from './check-names.ts';
import { type Field, fieldsOf } from './fields.ts';
import { type Method, schemasOf } from './methods.ts';
import { typeText } from './type-text.ts';

const validators: Readonly<Record<string, OperationValidators>> = Object.assign({}, ...Object.values(ofProducts));
const maxShownLength = 40;
/** Maximum number of problems per kind. */
const maxProblems = 20;

/** A value that violates the spec. */
export interface Problem {
  /** Description of the problem, as a sentence. */
  text: string;
  /** Whether the violated limit is inferred, not documented. The service may then accept the value. */
  inferred: boolean;
}

/**
 * Compares parameter values with the types, limits and conditions in the spec, as the sandbox does. Call `checkParams` first
 * to check the names.
 *
 * @returns one problem for each value that violates the spec
 */
export function checkValues(method: Method, params: Params): Problem[] {
  const { wrap } = method;
  const fields = fieldsOf(method);
  const { path, query, body, json = {} } = validators[method.id] ?? {};
  const valuesIn = (place: Field['in']): Record<string, unknown> =>
    Object.fromEntries(Object.entries(params).filter(([name]) => placeOf(fields, name) === place));
  const inBody = valuesIn('body');
  const written = Object.fromEntries(
    Object.entries(inBody).map(([name, value]) => [name, asWritten(fieldNamed(fields, name), value)]),
  );
  const hasBody = method.bodyRequired || Object.keys(inBody).length > 0;
  const problems = [
    ...check(path, valuesIn('path')),
    ...check(query, valuesIn('query')),
    ...(hasBody ? check(body, wrap ? { [wrap]: written } : written, wrap ? 1 : 0) : []),
    ...check(pagesOf(method), inBody),
    ...Object.entries(json).flatMap(([name, schema]) =>
      inBody[name] === undefined ? [] : check(looseObject({ [name]: schema }), { [name]: inBody[name] }),
    ),
  ];
  for (const { name, schema } of fields)
    problems.push(...unknownFields(method, schema, params[name], name, { left: maxProblems }));
  const texts = new Set<string>();
  return problems.filter(({ text }) => !texts.has(text) && texts.add(text)).slice(0, maxProblems);

  /** @param skipped - number of leading path keys that are not parameters */
  function check(schema: ZodType | undefined, value: unknown, skipped = 0): Problem[] {
    const issues = schema?.safeParse(value, { reportInput: true }).error?.issues ?? [];
    return issues.slice(0, maxProblems).map((issue) => problemOf(method, params, issue, issue.path.slice(skipped)));
  }
}

/**
 * Returns the schema of the paging fields in a body that permits undeclared fields. The schema of the body does not name these
 * fields.
 */
function pagesOf({ paging }: Method): ZodType | undefined {
  return paging && looseObject({ [paging.limit]: int().optional(), [paging.offset]: int().optional() });
}

function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

/**
 * Returns the location of a parameter in the request. A parameter that the spec does not name is one of the account's own
 * fields in the body.
 */
function placeOf(fields: readonly Field[], name: string): Field['in'] {
  return fieldNamed(fields, name)?.in ?? 'body';
}

/** Returns a value with the type that it has in the request, where bytes and JSON are encoded as strings. */
function asWritten(field: Field | undefined, value: unknown): unknown {
  if (field?.encoding === 'json') return '';
  return withoutBytes(value);
}

function withoutBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return '';
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutBytes(inner)]));
}

function problemOf(method: Method, params: Params, issue: core.$ZodIssue, path: readonly PropertyKey[]): Problem {
  const schema = schemaOf(method, path);
  const inferred = brokenInferredLimit(issue, schema) !== undefined;
  const place = path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
  if (issue.code === 'custom') {
    const reason = issue.message.replace('Invalid input: ', '');
    return { text: place === '' ? reason : `${place}: ${reason}`, inferred };
  }
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    params,
  );
  if (value === undefined) return { text: `${method.name} needs ${place}.`, inferred };
  const type = schema ? typeText(schema) : issue.message;
  const example = exampleAt(method, path);
  const suchAs = example === undefined ? '' : `, such as ${describe(example)}`;
  return { text: `${place}: expected ${type}${suchAs}, not ${describe(value)}.`, inferred };
}

/** Returns the value at a path in a method's example. A list in the example can be short, so each index leads to its first item. */
function exampleAt(method: Method, path: readonly PropertyKey[]): unknown {
  const found = path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null) return undefined;
    return Reflect.get(inner, Array.isArray(inner) && typeof key === 'number' ? 0 : key);
  }, method.example);
  return isRecord(found) || Array.isArray(found) ? undefined : found;
}

/** Number of problems that can still be reported. */
interface Room {
  left: number;
}

/** Finds nested fields that the schema does not name. The service would ignore such a field or reject the request. */
function unknownFields(method: Method, schema: JsonSchema, value: unknown, place: string, room: Room): Problem[] {
  if (room.left <= 0) return [];
  if (Array.isArray(value)) {
    const items = { anyOf: branchesOf(method, schema).flatMap((branch) => branch.items ?? []) };
    return value.flatMap((item, at) => unknownFields(method, items, item, `${place}[${at}]`, room));
  }
  if (!isRecord(value)) return [];
  const branches = branchesOf(method, schema);
  const names = branches.flatMap(({ properties = {} }) => Object.keys(properties));
  // Maps, and objects without documented fields, take any name.
  const isOpen = branches.some(({ properties, additionalProperties }) => !properties || additionalProperties);
  return Object.entries(value).flatMap(([name, inner]): Problem[] => {
    const own = branches.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
    );
    if (own.length > 0) return unknownFields(method, { anyOf: own }, inner, `${place}.${name}`, room);
    if (isOpen || room.left <= 0) return [];
    room.left -= 1;
    const hint = didYouMean(name, names) ?? takenHint(names);
    return [{ text: `${place} has no field ${shortened(name)}. ${hint}`, inferred: false }];
  });
}

function takenHint(names: readonly string[]): string {
  return names.length > 0 ? `Its fields: ${names.join(', ')}.` : 'The object takes no fields.';
}

function branchesOf(method: Method, schema: JsonSchema): JsonSchema[] {
  const whole = schemaAt(schema, [], schemasOf(method.product)) ?? {};
  return whole.anyOf?.flatMap((branch) => branchesOf(method, branch)) ?? [whole];
}

/** Returns the schema at a path in the parameters. */
function schemaOf(method: Method, [first, ...rest]: readonly PropertyKey[]): JsonSchema | undefined {
  const field = fieldsOf(method).find(({ name }) => name === first);
  return field && schemaAt(field.schema, rest, schemasOf(method.product));
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? shortened(value) : String(value);
}

function shortened(text: string): string {
  return text.length <= maxShownLength
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, maxShownLength))}… (${text.length} characters)`;
}
