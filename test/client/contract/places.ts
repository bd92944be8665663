import { resolve } from '../../../scripts/spec/model.ts';
import type { JsonValue, OpenApi, Schema } from '../../../scripts/spec/schema.ts';
import { isObject, valueAt, withValue } from '../../support/json-value.ts';
import type { Judge } from '../../support/judge.ts';
import { sample } from './sample.ts';

/** A place in a body that a schema limits. */
export interface Place {
  schema: Schema;
  location: string[];
  /** A valid body with a value at this place. */
  body: JsonValue;
  /** Location of the outermost `anyOf` above, if any. A refusal then also names its other branches. */
  choice?: string[];
  /** Location of an `anyOf` above with a description. The mock answers with that alone about values at its place. */
  described?: string[];
}

interface Step {
  schema: Schema;
  location: string[];
  /** Valid bodies, starting with those that have a value here. */
  bodies: JsonValue[];
  choice: string[] | undefined;
  described: string[] | undefined;
  /** References on the path, to stop at recursive schemas. */
  way: string[];
}

/** All places of a body, in schema order. A sample fills a place that no example fills. */
export function listPlaces(openapi: OpenApi, judge: Judge, root: Schema, examples: JsonValue[]): Place[] {
  function visit({ schema: node, way, ...step }: Step): Place[] {
    const { $ref: reference, ...beside } = node;
    if (reference !== undefined && way.includes(reference)) return [];
    const schema = reference === undefined ? node : { ...resolve(openapi, node), ...beside };
    const here = { ...step, way: reference === undefined ? way : [...way, reference] };
    const { location, choice, described } = here;
    const bodies = filled(here, node);
    const [body] = schema.items ? withItem(here.location, bodies, schema.items) : bodies;
    if (body === undefined) throw new Error(`No body fills ${location.join('.')}`);
    const place = { schema, location, body, ...(choice && { choice }), ...(described && { described }) };
    return [place, ...below({ ...here, schema, bodies }), ...branches({ ...here, schema, bodies })];
  }

  /** Bodies with a valid value here. If there are none, the first body with a sample. */
  function filled({ location, bodies }: Pick<Step, 'location' | 'bodies'>, schema: Schema): JsonValue[] {
    const fits = (value: JsonValue | undefined): boolean => value !== undefined && judge(schema, value).length === 0;
    return holding(location, bodies, fits, () => sample(openapi, schema));
  }

  function below(step: Step): Place[] {
    const { schema, location, bodies } = step;
    const { properties = {}, items, additionalProperties: named } = schema;
    const objects = holding(location, bodies, isObject, () => sample(openapi, { ...schema, type: 'object' }));
    const child = (key: string, next: Schema, from: JsonValue[]): Place[] =>
      visit({ ...step, schema: next, location: [...location, key], bodies: from });
    return [
      ...Object.entries(properties).flatMap(([name, property]) => child(name, property, objects)),
      ...(typeof named === 'object' ? child(freeKey(valueAt(objects[0], location), properties), named, objects) : []),
      ...(items ? child('0', items, withItem(location, bodies, items)) : []),
    ];
  }

  function withItem(location: string[], bodies: JsonValue[], items: Schema): JsonValue[] {
    const some = (value: JsonValue | undefined): boolean => Array.isArray(value) && value.length > 0;
    return holding(location, bodies, some, () => [sample(openapi, items)]);
  }

  function branches(step: Step): Place[] {
    const { schema, location, choice } = step;
    const described = schema.anyOf && schema.description ? location : step.described;
    const chosen = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    return [
      ...chosen.flatMap((branch) => visit({ ...step, schema: branch, choice: choice ?? location, described })),
      ...(schema.allOf ?? []).flatMap((part) => visit({ ...step, schema: part })),
    ];
  }

  return visit({ schema: root, location: [], bodies: examples, choice: undefined, described: undefined, way: [] });
}

/** Bodies with a matching value at a location. If there are none, the first body with a new value. */
function holding(
  location: string[],
  bodies: JsonValue[],
  isSuch: (value: JsonValue | undefined) => boolean,
  make: () => JsonValue,
): JsonValue[] {
  const such = bodies.filter((body) => isSuch(valueAt(body, location)));
  const [first] = bodies;
  return such.length > 0 || first === undefined ? such : [withValue(first, location, make())];
}

/** A key of an open map: one that a body uses, or `key`. */
function freeKey(map: JsonValue | undefined, properties: Record<string, Schema>): string {
  const used = isObject(map) ? Object.keys(map) : [];
  return used.find((key) => !Object.hasOwn(properties, key)) ?? 'key';
}
