import { SpecFault } from './fault.ts';
import { resolve, type SpecOperation } from './model.ts';
import type { OpenApi, Schema } from './schema.ts';

/** A field next to the payload. */
export interface Beside {
  name: string;
  schema: Schema;
  required: boolean;
}

/**
 * Where a response contains its payload, and the fields next to it. Derived from the response's schema. Both the client's table
 * and its types are generated from this value, so they agree.
 */
export interface Envelope {
  /**
   * Keys that lead to the payload: `[]` (the body itself), `['data']`, `['data', 'list']`, `['data', 'data']`, or what `x-envelope`
   * says.
   */
  keys: string[];
  /** Schema of the payload in the response. `undefined` if no body is documented. */
  payload?: Schema;
  /** Fields next to the payload, at every level above it. The members of a field named `meta` move up one level. */
  beside: Beside[];
  /** Whether the documents show a single record for a list. The client returns such a record as a list with one item. */
  inferredList: boolean;
  /** Whether the schema allows the payload to be `null`. */
  nullable: boolean;
}

/** @throws {@link SpecFault} if the spec has to say where the payload is */
export function deriveEnvelope(operation: SpecOperation): Envelope {
  const { 'x-envelope': word } = operation.success.response;
  const derived = follow(operation, undefined);
  const told = word === undefined ? derived : follow(operation, word === 'none' ? [] : word.split('.'));
  const cause = word === undefined ? doubtOf(operation, derived) : undefined;
  if (operation.operation['x-pagination'] && !isList(operation, told)) {
    const message = `${operation.operationId}: the response is not a list, so there is nothing to page`;
    throw new SpecFault('pagination-list', ['x-pagination'], message);
  }
  if (cause) throw new SpecFault('envelope-known', placeOf(operation, 'schema'), `${operation.operationId}: ${cause}`);
  return told;
}

function isList({ spec }: SpecOperation, { payload }: Envelope): boolean {
  return payload !== undefined && resolve(spec.openapi, payload).items !== undefined;
}

/** The reason why the derived payload may be wrong, with what to write in the spec. */
function doubtOf({ spec: { openapi } }: SpecOperation, { payload, beside, keys }: Envelope): string | undefined {
  const say = `write \`x-envelope: none\` on the response if a method returns ${keys.length > 0 ? `\`${keys.join('.')}\`` : 'the body'}, or the keys of the value that it returns, such as \`x-envelope: data.items\``;
  const isHolder = (schema: Schema): boolean => {
    const { type, items } = resolve(openapi, schema);
    return [type].flat().includes('object') || (items !== undefined && resolve(openapi, items).type === 'object');
  };
  const other = beside.find(({ schema }) => isHolder(schema));
  if (other) return `records are also in '${other.name}', and methods return it as \`meta\`: ${say}`;
  if (!payload) return undefined;
  const fields = Object.entries(resolve(openapi, payload).properties ?? {});
  const held = fields.find(([, schema]) => isHolder(schema))?.[0];
  return held !== undefined && (payload.$ref === undefined || fields.length === 1)
    ? `the payload can be '${held}' or the object that contains it: ${say}`
    : undefined;
}

/** Place of a success in the operation, or of its shared response. */
function placeOf({ success, operation }: SpecOperation, ...below: string[]): string[] {
  const shared = operation.responses[success.status]?.$ref?.split('/').slice(1);
  const inside = below.length > 0 ? ['content', 'application/json', ...below] : [];
  return [...(shared ?? ['responses', success.status]), ...inside];
}

/** @param given - keys that lead to the payload; `undefined` derives them */
function follow(operation: SpecOperation, given: readonly string[] | undefined): Envelope {
  const { openapi } = operation.spec;
  const body = operation.success.schema;
  if (!body) return { keys: [], beside: [], inferredList: false, nullable: false };

  const keys: string[] = [];
  const beside: Beside[] = [];
  let payload = body;
  let resolved = resolve(openapi, payload);
  const descend = (key: string, next: Schema): void => {
    const { properties = {}, required = [] } = resolved;
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (name === 'meta') beside.push(...membersOf(resolve(openapi, schema), isRequired));
      else if (name !== key) beside.push({ name, schema, required: isRequired });
    }
    keys.push(key);
    payload = next;
    resolved = resolve(openapi, payload);
  };
  for (const key of given ?? []) {
    const next = resolved.properties?.[key];
    if (!next)
      throw new SpecFault(
        'envelope-form',
        [...placeOf(operation), 'x-envelope'],
        `${operation.operationId}: the response has no '${key}'`,
      );
    descend(key, next);
  }
  const data = given ? undefined : resolved.properties?.data;
  if (data) {
    descend('data', data);
    const { list, data: inner, result } = resolved.properties ?? {};
    if (list && resolve(openapi, list).type === 'array') descend('list', list);
    else if (inner && result) descend('data', inner);
  }
  const inferredList = resolved.type === 'array' && resolved['x-inferred'] !== undefined;
  return { keys, payload, beside, inferredList, nullable: allowsNull(openapi, payload) };
}

/** Whether a schema accepts `null`. */
function allowsNull(openapi: OpenApi, schema: Schema): boolean {
  const { type, enum: values, const: only, anyOf, oneOf, allOf } = resolve(openapi, schema);
  const allows = (part: Schema): boolean => allowsNull(openapi, part);
  return (
    (type === undefined || [type].flat().includes('null')) &&
    (values === undefined || values.includes(null)) &&
    (only === undefined || only === null) &&
    (anyOf === undefined || anyOf.some(allows)) &&
    (oneOf === undefined || oneOf.some(allows)) &&
    (allOf === undefined || allOf.every(allows))
  );
}

function membersOf({ properties = {}, required = [] }: Schema, isGiven: boolean): Beside[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: isGiven && required.includes(name),
  }));
}
