import { isRecord } from '../../shared/is-record.ts';
import type { OperationRecord } from '../../shared/operation.ts';

export interface Unwrapped {
  data: unknown;
  meta: Record<string, unknown> | undefined;
  /** The documented key that is missing from the body. `data` is then the whole body. */
  missing?: string;
}

/**
 * Extracts the payload from a reply, following the keys that the spec documents for the operation. Sibling fields become `meta`,
 * and the members of a sibling named `meta` are merged into it. Returns a body of another shape unchanged.
 */
export function unwrap(body: unknown, operation: OperationRecord): Unwrapped {
  if (operation.empty || body === undefined) return { data: undefined, meta: undefined };
  let data: unknown = body;
  let meta: Record<string, unknown> | undefined;
  const [keys, list] = operation.payload?.split('[') ?? [];
  for (const key of keys?.split('.') ?? []) {
    // `null` on the path means that there is no payload.
    if (data === null) return { data, meta };
    if (!isRecord(data) || !Object.hasOwn(data, key)) return { data: body, meta: undefined, missing: key };
    // Most replies contain only the payload, and copying the rest is slow.
    if (Object.keys(data).length > 1) meta = { ...meta, ...lift(key, data) };
    data = data[key];
  }
  if (list && isRecord(data)) data = [data];
  return { data, meta };
}

function lift(key: string, { [key]: _, meta, ...beside }: Record<string, unknown>): Record<string, unknown> {
  if (isRecord(meta)) return { ...beside, ...meta };
  return meta === undefined ? beside : { ...beside, meta };
}

/** The properties of an object that are not `undefined`. */
export function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
