import { deriveEnvelope } from '../../../scripts/spec/envelope.ts';
import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { Example, JsonValue } from '../../../scripts/spec/schema.ts';
import { isObject, type JsonObject, withoutKeys } from '../../support/json-value.ts';

/** The client's expected result for a documented response, derived only from the spec. */
export function expectedResult(
  operation: SpecOperation,
  body: JsonValue | undefined,
): { data: unknown; meta: unknown } {
  const { keys, inferredList, payload } = deriveEnvelope(operation);
  if (!payload || body === undefined) return { data: undefined, meta: undefined };
  let data: JsonValue = body;
  let meta: JsonObject = {};
  for (const key of keys) {
    if (!isObject(data)) throw new Error(`${operation.key}: its example has no '${key}'`);
    const beside = withoutKeys(data, [key]);
    meta = { ...meta, ...withoutKeys(beside, ['meta']), ...(isObject(beside.meta) && beside.meta) };
    data = data[key] ?? null;
  }
  return {
    data: inferredList && isObject(data) ? [data] : data,
    meta: Object.keys(meta).length === 0 ? undefined : meta,
  };
}

/** Documented failures of an operation, with the status and example to request from the mock. */
export function documentedFailures(
  operation: SpecOperation,
): { title: string; status: number; example: string; body: JsonValue }[] {
  const { openapi } = operation.spec;
  return Object.entries(operation.operation.responses)
    .filter(([code]) => !code.startsWith('2'))
    .flatMap(([code, reference]) => {
      const examples: Record<string, Example> =
        resolve(openapi, reference).content?.['application/json']?.examples ?? {};
      // `default` covers every other status. This one is not retried.
      const status = code === 'default' ? 400 : Number(code);
      return Object.entries(examples).map(([example, { value }]) => ({
        title: `${code} ${example}`,
        status,
        example,
        body: value,
      }));
    });
}
