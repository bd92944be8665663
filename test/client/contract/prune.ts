import type { JsonValue, Schema } from '../../../scripts/spec/schema.ts';
import { isObject, valueAt, withoutKeys, withValue } from '../../support/json-value.ts';
import type { Judge } from '../../support/judge.ts';

/** Removes everything optional from an example, but keeps conditions between fields. */
export function prune(judge: Judge, schema: Schema, example: JsonValue, location: string[] = []): JsonValue {
  let body = example;
  const here = valueAt(body, location);
  for (const key of isObject(here) ? Object.keys(here) : []) {
    const current = valueAt(body, location);
    if (!isObject(current)) break;
    const smaller = withValue(body, location, withoutKeys(current, [key]));
    body = judge(schema, smaller).length === 0 ? smaller : prune(judge, schema, body, [...location, key]);
  }
  if (Array.isArray(here))
    here.forEach((_, index) => {
      body = prune(judge, schema, body, [...location, String(index)]);
    });
  return body;
}
