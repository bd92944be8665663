import { resolve, type SpecOperation } from './model.ts';
import type { Schema, SpecDocument } from './schema.ts';

/** A field next to the payload. */
export interface Beside {
  name: string;
  schema: Schema;
  required: boolean;
}

/**
 * Where a reply contains its payload, and the fields next to it. Derived from the reply's schema. Both the client's table
 * and its types are generated from this value, so they agree.
 */
export interface Envelope {
  /** Keys that lead to the payload: `[]` (the body itself), `['data']`, `['data', 'list']`, `['data', 'data']`. */
  keys: string[];
  /** Schema of the payload in the reply. `undefined` if no body is documented. */
  payload?: Schema;
  /** Fields next to the payload, at every level above it. The members of a field named `meta` move up one level. */
  beside: Beside[];
  /** Whether the documents show a single record for a list. The client returns such a record as a list with one item. */
  inferredList: boolean;
  /** Whether the schema allows the payload to be `null`. */
  nullable: boolean;
}

export function deriveEnvelope(operation: SpecOperation): Envelope {
  const { document } = operation.spec;
  const body = operation.success.schema;
  if (!body) return { keys: [], beside: [], inferredList: false, nullable: false };

  const keys: string[] = [];
  const beside: Beside[] = [];
  let payload = body;
  let resolved = resolve(document, payload);
  const descend = (key: string, next: Schema): void => {
    const { properties = {}, required = [] } = resolved;
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (name === 'meta') beside.push(...membersOf(resolve(document, schema), isRequired));
      else if (name !== key) beside.push({ name, schema, required: isRequired });
    }
    keys.push(key);
    payload = next;
    resolved = resolve(document, payload);
  };
  const data = resolved.properties?.data;
  if (data) {
    descend('data', data);
    const { list, data: inner, result } = resolved.properties ?? {};
    if (list && resolve(document, list).type === 'array') descend('list', list);
    else if (inner && result) descend('data', inner);
  }
  const inferredList = resolved.type === 'array' && resolved['x-inferred'] !== undefined;
  return { keys, payload, beside, inferredList, nullable: allowsNull(document, payload) };
}

/** Whether a schema accepts `null`. */
function allowsNull(document: SpecDocument, schema: Schema): boolean {
  const { type, enum: values, const: only, anyOf, oneOf, allOf } = resolve(document, schema);
  const allows = (part: Schema): boolean => allowsNull(document, part);
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
