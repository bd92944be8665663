import { resolve } from '../../../scripts/spec/model.ts';
import type { JsonValue, Schema, SpecDocument } from '../../../scripts/spec/schema.ts';
import { isObject, valueAt, withValue } from '../../support/json-value.ts';
import type { Judge } from '../../support/judge.ts';
import { sample } from './sample.ts';

/** A place of a body that a schema limits. */
export interface Place {
  schema: Schema;
  location: string[];
  /** A body that is valid and has a value at this place. */
  body: JsonValue;
  /** The place of the outermost `anyOf` above, if there is one: a refusal then also names its other branches. */
  choice?: string[];
}

interface Step {
  schema: Schema;
  location: string[];
  /** Valid bodies, those with a value here first of all. */
  bodies: JsonValue[];
  choice: string[] | undefined;
  /** The references on the way, so that a schema that contains itself ends. */
  way: string[];
}

/** Every place of a body, in the order of the schema; a place that no example fills is filled with a sample. */
export function listPlaces(document: SpecDocument, judge: Judge, root: Schema, examples: JsonValue[]): Place[] {
  function visit({ schema: node, way, ...step }: Step): Place[] {
    const { $ref: reference, ...beside } = node;
    if (reference !== undefined && way.includes(reference)) return [];
    const schema = reference === undefined ? node : { ...resolve(document, node), ...beside };
    const here = { ...step, way: reference === undefined ? way : [...way, reference] };
    const { location, choice } = here;
    const bodies = filled(here, node);
    const [body] = schema.items ? withItem(here.location, bodies, schema.items) : bodies;
    if (body === undefined) throw new Error(`No body fills ${location.join('.')}`);
    const place = { schema, location, body, ...(choice && { choice }) };
    return [place, ...below({ ...here, schema, bodies }), ...branches({ ...here, schema, bodies })];
  }

  /** The bodies whose value here fits the schema; where none does, the first with a sample put in. */
  function filled({ location, bodies }: Pick<Step, 'location' | 'bodies'>, schema: Schema): JsonValue[] {
    const fits = (value: JsonValue | undefined): boolean => value !== undefined && judge(schema, value).length === 0;
    return holding(location, bodies, fits, () => sample(document, schema));
  }

  function below(step: Step): Place[] {
    const { schema, location, bodies } = step;
    const { properties = {}, items, additionalProperties: named } = schema;
    const objects = holding(location, bodies, isObject, () => sample(document, { ...schema, type: 'object' }));
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
    return holding(location, bodies, some, () => [sample(document, items)]);
  }

  function branches(step: Step): Place[] {
    const { schema, location, choice } = step;
    const chosen = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    return [
      ...chosen.flatMap((branch) => visit({ ...step, schema: branch, choice: choice ?? location })),
      ...(schema.allOf ?? []).flatMap((part) => visit({ ...step, schema: part })),
    ];
  }

  return visit({ schema: root, location: [], bodies: examples, choice: undefined, way: [] });
}

/** The bodies with such a value at a location. If there is none, the first body with the value added. */
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

/** A key of an open map: one that a body has already, or any. */
function freeKey(map: JsonValue | undefined, properties: Record<string, Schema>): string {
  const used = isObject(map) ? Object.keys(map) : [];
  return used.find((key) => !Object.hasOwn(properties, key)) ?? 'key';
}
