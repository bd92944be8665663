import { resolve, type SpecOperation } from './model.ts';
import type { Schema } from './schema.ts';

/** A field beside the payload. */
export interface Beside {
  name: string;
  schema: Schema;
  required: boolean;
}

/**
 * Where a reply holds its payload, and what is beside it. Derived once from the reply's schema: the client's table and its
 * types are both written from this value, so they cannot disagree.
 */
export interface Envelope {
  /** Keys that lead to the payload: `[]` (the body itself), `['data']`, `['data', 'list']`, `['data', 'data']`. */
  keys: string[];
  /** The schema of the payload as the reply names it; none if no body is documented. */
  payload?: Schema;
  /** What is beside the payload on the way to it; the members of a sibling named `meta` are lifted. */
  beside: Beside[];
  /** The documents write one record where a list is meant: one record becomes a list of one. */
  inferredList: boolean;
}

export function deriveEnvelope(operation: SpecOperation): Envelope {
  const { document } = operation.spec;
  const body = operation.success.schema;
  if (!body) return { keys: [], beside: [], inferredList: false };

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
  return { keys, payload, beside, inferredList };
}

function membersOf({ properties = {}, required = [] }: Schema, isGiven: boolean): Beside[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: isGiven && required.includes(name),
  }));
}
