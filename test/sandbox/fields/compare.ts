import type { JsonValue } from '../../../scripts/spec/schema.ts';
import { isObject, isPrimitive, type JsonObject, type Primitive } from '../../support/json-value.ts';
import type { Readings } from './read-after.ts';

/** A written value, and the objects in later responses of reading operations. */
export interface Written {
  value: Primitive;
  objects: Objects;
}

/**
 * Whether a place has one value after one request, and the other value after the other. The place has the name of the field or of its
 * parent. Other places count only if no place has the name of the field.
 */
export function isReadBack([name = '', ...above]: readonly string[], one: Written, other: Written): boolean {
  const found = compare(one, other);
  // Requests and responses may differ in type, such as a phone number as text or number.
  const has = (side: Difference['side'], place: string, value: Primitive): boolean =>
    found.some((at) => at.side === side && at.place === place && String(at.value) === String(value));
  const places = [...new Set(found.map(({ place }) => place))];
  const named = places.filter((place) => place.endsWith(`.${name}`));
  const parents = places.filter((place) => above.some((parent) => place.endsWith(`.${parent}`)));
  const possible = named.length > 0 ? [...named, ...parents] : places;
  return possible.some((place) => has('one', place, one.value) && has('other', place, other.value));
}

/** A value in an object that appears after one request, but not after another. */
interface Difference {
  side: 'one' | 'other';
  /** Names on the path to the value, without list indexes. */
  place: string;
  value: Primitive;
}

function compare({ objects: first }: Written, { objects: second }: Written): Difference[] {
  return [...differences('one', first, second), ...differences('other', second, first)];
}

function differences(side: Difference['side'], present: Objects, absent: Objects): Difference[] {
  return [...present].flatMap(([key, { place, object, count }]) => {
    if (count <= (absent.get(key)?.count ?? 0)) return [];
    return Object.entries(object).flatMap(([name, content]) =>
      [content].flat().flatMap((value) => (isPrimitive(value) ? { side, place: `${place}.${name}`, value } : [])),
    );
  });
}

type Objects = ReadonlyMap<string, { place: string; object: JsonObject; count: number }>;

/** Objects in responses, by place and content, because another request may change the order of a list. */
export function objectsIn(read: Readings): Objects {
  const found = new Map<string, { place: string; object: JsonObject; count: number }>();
  const visit = (value: JsonValue, place: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(isPrimitive(one) ? { '': one } : one, place);
    else if (isObject(value)) {
      const key = `${place} ${JSON.stringify(value)}`;
      found.set(key, { place, object: value, count: (found.get(key)?.count ?? 0) + 1 });
      for (const [name, one] of Object.entries(value)) visit(one, `${place}.${name}`);
    }
  };
  for (const [request, response] of read) visit(response, request.replace(/\/\d.*/, ''));
  return found;
}
