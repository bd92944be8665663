import { type Operation, resolve } from './model.ts';
import type { Schema } from './schema.ts';

/**
 * Where the payload of a reply stands, and what stands beside it. Derived once, from the reply's schema:
 * the client's table and its types are both written from this value, so they cannot disagree.
 */
export interface Envelope {
  /** Keys that lead to the payload: `[]` (the body itself), `['data']`, `['data', 'list']`, `['data', 'data']`. */
  keys: string[];
  /** Whether anything can stand beside the payload on the way to it. */
  meta: boolean;
  /** The documents write one record where a list is meant: one record becomes a list of one. */
  inferredList: boolean;
  /** No body is documented: there is no payload. */
  empty: boolean;
}

export function deriveEnvelope(operation: Operation): Envelope {
  const { document } = operation.spec;
  const body = operation.success.schema;
  if (!body) return { keys: [], meta: false, inferredList: false, empty: true };

  const keys: string[] = [];
  let meta = false;
  let payload = resolve(document, body);
  const descend = (key: string, next: Schema): void => {
    meta ||= Object.keys(payload.properties ?? {}).length > 1;
    keys.push(key);
    payload = resolve(document, next);
  };
  const data = payload.properties?.data;
  if (data) {
    descend('data', data);
    const { list, data: inner, result } = payload.properties ?? {};
    if (list && resolve(document, list).type === 'array') descend('list', list);
    else if (inner && result) descend('data', inner);
  }
  return { keys, meta, inferredList: payload.type === 'array' && payload['x-inferred'] !== undefined, empty: false };
}
